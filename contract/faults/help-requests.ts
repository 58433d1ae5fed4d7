// Faults of requests that could not be read or are not accepted in this form.
import type { FaultCode, FieldCode } from './fault.ts'
import { help, type Help } from './help-entry.ts'
import { exampleId } from '../example-values.ts'

const parameter = (name: string, code: FieldCode, detail: string) => ({ errors: [{ parameter: name, code, detail }] })
const header = (name: string, code: FieldCode, detail: string) => ({ errors: [{ header: name, code, detail }] })

export const requestFaults = {
  invalid_http: help(
    'The request is not valid HTTP/1.1 (RFC 9112), so it could not be read. The connection was closed.',
    'Use an HTTP client library instead of writing requests by hand. Use HTTP/1.1: HTTP/2 works only if a load balancer in front of this installation supports it. Also check any proxies between the client and this installation.',
    'The request could not be read as an HTTP/1.1 request. This server does not support HTTP/2.',
    {},
    '',
  ),
  invalid_json: help(
    'The body is not JSON (RFC 8259), or is JSON that cannot be stored: it has a duplicate name, text that is not Unicode, or too many levels.',
    'Create the body with a JSON serializer, encode it in UTF-8, and send its correct length.',
    'The body is not valid JSON.',
  ),
  unknown_parameter: help(
    'The query has a parameter that the operation does not have. Unknown parameters are rejected, because ignoring a misspelt filter would return everything.',
    'Correct the name. `detail` suggests the nearest name. The API reference lists all parameters.',
    'stauts: Unknown parameter. Did you mean `status`?',
    parameter('stauts', 'unknown', 'Unknown parameter. Did you mean `status`?'),
  ),
  invalid_parameter: help(
    'A path or query parameter has an invalid value, or was sent twice.',
    'Correct each parameter that `errors` names.',
    'limit: Must be 200 or less.',
    parameter('limit', 'too_large', 'Must be 200 or less.'),
  ),
  invalid_header: help(
    'A header has an invalid form, or was sent twice.',
    'Correct the header that `errors` names. The value of `If-Match` must be the `ETag` of an earlier response, including the quotation marks.',
    'Send the ETag of an earlier response with its quotation marks, several ETags separated by commas, or `*`.',
    header(
      'If-Match',
      'wrong_format',
      'Send the ETag of an earlier response with its quotation marks, several ETags separated by commas, or `*`.',
    ),
    `/api/v1/projects/${exampleId('projectId')}`,
  ),
  invalid_cursor: help(
    'The cursor was not created by this installation, or was changed afterwards.',
    'Send `page.nextCursor` of an earlier response unchanged, or omit `cursor` to start at the first page.',
    'Send `page.nextCursor` of an earlier response, unchanged.',
  ),
  cursor_outdated: help(
    'The cursor was created before the last update of this installation and can no longer be used.',
    'Omit `cursor` to start at the first page.',
    'The cursor was created before the last update of this installation. Start at the first page.',
  ),
  cursor_mismatch: help(
    'The cursor belongs to a query with another filter or sort. Pages of different queries cannot be combined.',
    'Send the cursor with the same parameters as the query that returned it, or start at the first page of the new query.',
    'Send the cursor with the same filter and sort as the query that returned it.',
  ),
  invalid_idempotency_key: help(
    'The header `Idempotency-Key` is empty, too long, or has characters other than visible ASCII. Some requests, such as sign-in, do not accept the header.',
    'Send a UUID, or any 1 to 255 visible ASCII characters. If the request does not accept the header, omit it.',
    'An Idempotency-Key must have 1 to 255 visible ASCII characters.',
  ),
  route_not_found: help(
    'There is no operation at this path. If the path is correct but the object does not exist, the code is `not_found` instead.',
    'Check the version and the spelling of the path in the API reference.',
    'There is no operation at this path.',
    {},
    '/api/v1/projetcs',
  ),
  method_not_allowed: help(
    'The path exists but does not support this method.',
    'Use one of the methods in `allowed`, which the header `Allow` names as well.',
    'This path supports only GET, HEAD, POST.',
    { allowed: ['GET', 'HEAD', 'POST'] },
  ),
  not_acceptable: help(
    'The header `Accept` excludes every type that the operation returns.',
    'Omit `Accept`, or include one of the types that `detail` names.',
    'Responses are application/json or application/problem+json.',
  ),
  request_timeout: help(
    'The request arrived too slowly and was aborted. Nothing was changed.',
    'Send it again over a faster connection, or with a smaller body.',
    'The body arrived too slowly.',
  ),
  request_cancelled: help(
    'The client closed the connection or cancelled the request, or the deadline of the request passed before it was complete. Nothing was changed.',
    'Send the request again if you still need it. If it takes too long, request less data per request.',
    'The request was cancelled before it was complete. Nothing was changed.',
  ),
  body_too_large: help(
    'The body has more bytes than the operation accepts. It was not processed.',
    'Send less data per request. `limitBytes` is the maximum. For example, split a batch in two.',
    'A body can have at most 1048576 bytes.',
    { limitBytes: 1_048_576 },
  ),
  too_many_items: help(
    'A list in the body has too many items, or the request counts as more requests than the burst of the rate limit. For example, each item of a batch counts as one request, so a batch of 100 items exceeds a burst of 50.',
    'Split it into several requests. `errors` names the list and its maximum, or `limit` contains the maximum of the rate limit.',
    'Must have at most 100 items.',
    { errors: [{ pointer: '/items', code: 'too_long', detail: 'Must have at most 100 items.' }] },
    '/api/v1/projects/batch',
  ),
  unsupported_media_type: help(
    'The type or the encoding of the body is not supported.',
    'Send JSON in UTF-8 as `Content-Type: application/json`, not compressed. A PATCH also accepts `application/merge-patch+json`. A file upload accepts any `Content-Type`, but no `Content-Encoding`.',
    'Send application/json.',
  ),
  range_not_satisfiable: help(
    'The header `Range` asks for bytes after the end of the file.',
    'Check the size of the file in `Content-Range`, and request a range within it. If you already have the whole file, no action is needed.',
    'The file has 2048 bytes.',
    { bytes: 2048 },
    `/api/v1/jobs/${exampleId('jobId')}/result`,
  ),
  expectation_failed: help(
    'The header `Expect` has a value other than `100-continue`, which is the only supported one.',
    'Omit `Expect`, or send `Expect: 100-continue`.',
    'Send `Expect: 100-continue`, or no `Expect` header.',
    {},
    '',
  ),
  headers_too_large: help(
    'The headers, or the URL with its query, are too long. Nothing was changed.',
    'Send fewer or shorter headers. Split a long list in the query into several requests.',
    'All headers together can have at most 16384 bytes.',
    {},
    '',
  ),
  rate_limited: help(
    'The key, its workspace or the IP address of the client has reached its rate limit. If `violated-policies` is present, it contains the limit, and `type` is the IANA problem type `quota-exceeded`. Nothing was changed.',
    'Wait the number of seconds in `Retry-After`, then send the same request again. The header `RateLimit` of every response shows what remains, so that you can slow down in time.',
    'The key has reached its rate limit: 600 requests per minute, burst 100.',
    { retryAfterSeconds: 4, 'violated-policies': ['key'] },
  ),
} satisfies Partial<Record<FaultCode, Help>>
