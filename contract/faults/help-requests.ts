// Faults of requests that could not be read or are not accepted in this form.
import type { FaultCode, FieldCode } from './fault.ts'
import { help, type Help } from './help-entry.ts'
import { exampleId } from '../example-values.ts'

const parameter = (name: string, code: FieldCode, detail: string) => ({ errors: [{ parameter: name, code, detail }] })
const header = (name: string, code: FieldCode, detail: string) => ({ errors: [{ header: name, code, detail }] })

export const requestFaults = {
  invalid_http: help(
    'The request is not HTTP/1.1 as RFC 9112 has it, so that nothing of it could be read. The connection was closed.',
    'Call with an HTTP client in place of writing requests by hand, in HTTP/1.1 where no balancer takes HTTP/2, and look at what stands between it and this installation.',
    'What came could not be read as a request of HTTP/1.1. This address speaks no HTTP/2.',
    {},
    '',
  ),
  invalid_json: help(
    'The body is not JSON (RFC 8259), or JSON that cannot be kept: a name that is there twice, text that is not Unicode, or more levels than are taken.',
    'Make the body with a JSON serialiser, encode it in UTF-8, and send its true length.',
    'The body is not valid JSON.',
  ),
  unknown_parameter: help(
    'The query has a parameter that the operation does not have. Nothing is ignored, so that a misspelt filter cannot pass for one that matches everything.',
    'Correct the name. `detail` suggests the nearest one, and the description of the API lists them all.',
    'stauts: Unknown parameter. Did you mean `status`?',
    parameter('stauts', 'unknown', 'Unknown parameter. Did you mean `status`?'),
  ),
  invalid_parameter: help(
    'A parameter of the path or the query has a value that cannot stand there, or is there twice.',
    'Correct each parameter that `errors` names.',
    'limit: Is more than 200.',
    parameter('limit', 'too_large', 'Is more than 200.'),
  ),
  invalid_header: help(
    'A header has a form that cannot be read, or is there twice.',
    'Correct the header that `errors` names. An `If-Match` is the `ETag` of an earlier answer, quotation marks included.',
    'Send the ETag of an earlier answer, with its quotation marks.',
    header('If-Match', 'wrong_format', 'Send the ETag of an earlier answer, with its quotation marks.'),
    `/api/v1/projects/${exampleId('projectId')}`,
  ),
  invalid_cursor: help(
    'The cursor is none that this installation has made, or was changed on its way.',
    'Send `page.nextCursor` of an earlier answer unchanged, or leave `cursor` out to begin at the first page.',
    'Send `page.nextCursor` of an earlier answer, unchanged.',
  ),
  cursor_mismatch: help(
    'The cursor was made by a query with another filter or sort. Pages of two queries do not fit together.',
    'Send the cursor with the same parameters as the query that gave it, or begin at the first page of the new one.',
    'Send the cursor with the same filter and sort as the query that gave it.',
  ),
  invalid_idempotency_key: help(
    'The header `Idempotency-Key` is empty, too long, or has characters other than visible ASCII; or the call takes none, as those that sign somebody in.',
    'Send a UUID, or any 1 to 255 visible ASCII characters.',
    'An Idempotency-Key has 1 to 255 visible ASCII characters.',
  ),
  route_not_found: help(
    'There is no operation at this address. This is about the address as such; an object that is missing is `not_found`.',
    'Compare the path with the description of the API, its version and its spelling included.',
    'There is nothing at this address.',
    {},
    '/api/v1/projetcs',
  ),
  method_not_allowed: help(
    'The address exists, and takes other methods than the one that was sent.',
    'Use one of the methods in `allowed`, which the header `Allow` names as well.',
    'This address takes GET, HEAD, POST.',
    { allowed: ['GET', 'HEAD', 'POST'] },
  ),
  not_acceptable: help(
    'The header `Accept` leaves nothing that can be answered.',
    'Leave `Accept` out, or let it take one of the types that `detail` names.',
    'Answers are application/json or application/problem+json.',
  ),
  request_timeout: help(
    'The request came so slowly that it was given up. Nothing was done.',
    'Send it again over a connection that is fast enough; make a large body smaller.',
    'The body comes too slowly.',
  ),
  request_cancelled: help(
    'The caller closed the connection, cancelled the call, or its deadline has passed, before the call was done. Nothing was changed.',
    'Send it again if it is still wanted. Ask for less at once if it takes too long.',
    'The call was cancelled before it was done: nothing was changed.',
  ),
  body_too_large: help(
    'The body has more bytes than the operation takes. Nothing of it was looked at.',
    'Send less at once: `limitBytes` is the most that is taken. Split a batch in two.',
    'A body has at most 1048576 bytes.',
    { limitBytes: 1_048_576 },
  ),
  too_many_items: help(
    'A list in the body has more items than are taken at once, or the call counts as more requests than its key or workspace may make at once.',
    'Split it into several calls. `errors` names the list and says how many it may have.',
    'Has more than 100 items.',
    { errors: [{ pointer: '/items', code: 'too_long', detail: 'Has more than 100 items.' }] },
    '/api/v1/projects/batch',
  ),
  unsupported_media_type: help(
    'The body is of a type or an encoding that is not taken.',
    'Send JSON in UTF-8 as `Content-Type: application/json`, not compressed. A PATCH takes `application/merge-patch+json` as well.',
    'Send application/json.',
  ),
  expectation_failed: help(
    'The header `Expect` asks for something else than `100-continue`, and nothing else is known.',
    'Leave `Expect` out, or send `Expect: 100-continue`.',
    'Send `Expect: 100-continue`, or none.',
    {},
    '',
  ),
  headers_too_large: help(
    'The headers, or the address with its query, are longer than is taken. Nothing of the call was done.',
    'Send fewer or shorter headers. Split a long list in the query into several calls.',
    'All headers together have at most 16384 bytes.',
    {},
    '',
  ),
  rate_limited: help(
    'The key, its workspace, or the address that it is called from has used up what it may ask for at the moment. `violated-policies` says which limit it is, and `type` is the one that is registered for that (`quota-exceeded`). Nothing was done.',
    'Wait for as many seconds as `Retry-After` says, then send the same call again. The header `RateLimit` of every answer tells what is left, so that you can slow down before.',
    'The key has used up the requests for now: 600 a minute, 100 at once.',
    { retryAfterSeconds: 4, 'violated-policies': ['key'] },
  ),
} satisfies Partial<Record<FaultCode, Help>>
