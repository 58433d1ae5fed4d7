// Faults of requests that could not be read or are not accepted in this form.
import type { FaultCode, FieldCode } from './fault.ts'
import { help, type Help } from './help-entry.ts'
import { exampleId } from '../example-values.ts'

const parameter = (name: string, code: FieldCode, detail: string) => ({ errors: [{ parameter: name, code, detail }] })
const header = (name: string, code: FieldCode, detail: string) => ({ errors: [{ header: name, code, detail }] })

export const requestFaults = {
  invalid_http: help(
    'The request is not valid HTTP/1.1 (RFC 9112), so it could not be read. The connection was closed.',
    'Use an HTTP client instead of writing requests by hand, use HTTP/1.1 unless a load balancer accepts HTTP/2, and check the proxies between the client and this installation.',
    'What came could not be read as a request of HTTP/1.1. This address speaks no HTTP/2.',
    {},
    '',
  ),
  invalid_json: help(
    'The body is not JSON (RFC 8259), or is JSON that cannot be stored: it has a duplicate name, text that is not Unicode, or too many levels.',
    'Create the body with a JSON serializer, encode it in UTF-8, and send its correct length.',
    'The body is not valid JSON.',
  ),
  unknown_parameter: help(
    'The query has a parameter that the operation does not have. Unknown parameters are never ignored, so that a misspelt filter does not match everything.',
    'Correct the name. `detail` suggests the nearest one, and the description of the API lists them all.',
    'stauts: Unknown parameter. Did you mean `status`?',
    parameter('stauts', 'unknown', 'Unknown parameter. Did you mean `status`?'),
  ),
  invalid_parameter: help(
    'A parameter of the path or the query has an unacceptable value, or is sent twice.',
    'Correct each parameter that `errors` names.',
    'limit: Is more than 200.',
    parameter('limit', 'too_large', 'Is more than 200.'),
  ),
  invalid_header: help(
    'A header has an invalid form, or is sent twice.',
    'Correct the header that `errors` names. An `If-Match` is the `ETag` of an earlier response, quotation marks included.',
    'Send the ETag of an earlier response, with its quotation marks.',
    header('If-Match', 'wrong_format', 'Send the ETag of an earlier response, with its quotation marks.'),
    `/api/v1/projects/${exampleId('projectId')}`,
  ),
  invalid_cursor: help(
    'The cursor was not created by this installation, or was changed afterwards.',
    'Send `page.nextCursor` of an earlier response unchanged, or omit `cursor` to start at the first page.',
    'Send `page.nextCursor` of an earlier response, unchanged.',
  ),
  cursor_outdated: help(
    'This installation created the cursor, in a version before the last update, and can no longer continue from it.',
    'Omit `cursor` to start at the first page.',
    'The cursor is of a version before the last update: start at the first page.',
  ),
  cursor_mismatch: help(
    'The cursor belongs to a query with another filter or sort. Pages of different queries cannot be combined.',
    'Send the cursor with the same parameters as the query that returned it, or start at the first page of the new query.',
    'Send the cursor with the same filter and sort as the query that returned it.',
  ),
  invalid_idempotency_key: help(
    'The header `Idempotency-Key` is empty, too long, or has characters other than visible ASCII; or the call does not accept one, such as calls that sign a person in.',
    'Send a UUID, or any 1 to 255 visible ASCII characters.',
    'An Idempotency-Key has 1 to 255 visible ASCII characters.',
  ),
  route_not_found: help(
    'There is no operation at this path. A missing object is `not_found` instead.',
    'Compare the path with the API description, including its version and spelling.',
    'There is nothing at this address.',
    {},
    '/api/v1/projetcs',
  ),
  method_not_allowed: help(
    'The path exists but does not support this method.',
    'Use one of the methods in `allowed`, which the header `Allow` names as well.',
    'This address takes GET, HEAD, POST.',
    { allowed: ['GET', 'HEAD', 'POST'] },
  ),
  not_acceptable: help(
    'The header `Accept` excludes every type that the operation returns.',
    'Omit `Accept`, or include one of the types that `detail` names.',
    'Answers are application/json or application/problem+json.',
  ),
  request_timeout: help(
    'The request arrived too slowly and was aborted. Nothing was changed.',
    'Send it again over a faster connection, or with a smaller body.',
    'The body comes too slowly.',
  ),
  request_cancelled: help(
    'The caller closed the connection or cancelled the call, or its deadline passed, before the call was complete. Nothing was changed.',
    'Send it again if it is still needed. Request less at once if it takes too long.',
    'The call was cancelled before it was done: nothing was changed.',
  ),
  body_too_large: help(
    'The body has more bytes than the operation accepts. It was not processed.',
    'Send less at once: `limitBytes` is the maximum. Split a batch in two.',
    'A body has at most 1048576 bytes.',
    { limitBytes: 1_048_576 },
  ),
  too_many_items: help(
    'A list in the body has too many items, or the call counts as more requests than its key or workspace may make at once.',
    'Split it into several calls. `errors` names the list and its maximum.',
    'Has more than 100 items.',
    { errors: [{ pointer: '/items', code: 'too_long', detail: 'Has more than 100 items.' }] },
    '/api/v1/projects/batch',
  ),
  unsupported_media_type: help(
    'The type or the encoding of the body is not supported.',
    'Send JSON in UTF-8 as `Content-Type: application/json`, not compressed. A PATCH also accepts `application/merge-patch+json`. The upload of a file takes its bytes with any `Content-Type`, but without a `Content-Encoding`.',
    'Send application/json.',
  ),
  range_not_satisfiable: help(
    'The header `Range` asks for bytes after the end of the file.',
    'Compare with the size of the file in `Content-Range`. If you have all of it, nothing is missing.',
    'The file has 2048 bytes.',
    { bytes: 2048 },
    `/api/v1/jobs/${exampleId('jobId')}/result`,
  ),
  expectation_failed: help(
    'The header `Expect` has a value other than `100-continue`, which is the only supported one.',
    'Omit `Expect`, or send `Expect: 100-continue`.',
    'Send `Expect: 100-continue`, or none.',
    {},
    '',
  ),
  headers_too_large: help(
    'The headers, or the URL with its query, are too long. Nothing was changed.',
    'Send fewer or shorter headers. Split a long list in the query into several calls.',
    'All headers together have at most 16384 bytes.',
    {},
    '',
  ),
  rate_limited: help(
    'The key, its workspace or the address of the caller has reached its rate limit. `violated-policies` names the limit, and `type` is the registered type for it (`quota-exceeded`). Nothing was changed.',
    'Wait for the seconds in `Retry-After`, then send the same call again. The header `RateLimit` of every response shows what remains, so that you can slow down in time.',
    'The key has used up the requests for now: 600 a minute, 100 at once.',
    { retryAfterSeconds: 4, 'violated-policies': ['key'] },
  ),
} satisfies Partial<Record<FaultCode, Help>>
