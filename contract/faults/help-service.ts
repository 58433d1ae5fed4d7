// Failures of the installation.
import type { FaultCode } from './fault.ts'
import { help, type Help } from './help-entry.ts'

export const serviceFaults = {
  internal_error: help(
    'An unexpected error occurred. The log of this installation has it under the `requestId`.',
    'Try again once. If the error persists, contact the operator of this installation and quote the `requestId`.',
    'The server failed to process the request. Quote the request ID when you contact the operator.',
  ),
  upstream_error: help(
    'A part of the service failed while it processed the request. It is not known whether a change was made.',
    'Send the request again. With the same `Idempotency-Key`, a change is made only once. Reads can always be repeated.',
    'The service failed before it responded.',
  ),
  unavailable: help(
    'The service cannot accept the request at the moment: the service is starting, stopping or busy, or a dependency is unavailable. Nothing was changed unless `detail` says otherwise. If `violated-policies` is present, it names the limit that was reached, and `type` is the IANA problem type `temporary-reduced-capacity`.',
    'Wait the number of seconds in `Retry-After`, then send the same request again. If it fails again, wait longer before each further attempt.',
    'The service cannot be reached at the moment.',
    { retryAfterSeconds: 1 },
  ),
  storage_full: help(
    'The disk of this installation’s database, or its store of files, is full. Nothing was changed; stored data can still be read.',
    'Wait the number of seconds in `Retry-After`, then send the same request again. If it fails again, wait longer before each further attempt. The operator of this installation must free space on the disk of Postgres, of the data folder, or of the files.',
    'The database has no room on its disk.',
    { retryAfterSeconds: 30 },
  ),
  query_too_costly: help(
    'A database query of the request took too long and was stopped (after 2 seconds, unless this installation sets `READ_TIMEOUT_SECONDS`). The same request would be stopped again.',
    'Request less data: use a longer word or two words in `q`, add another filter or a time range, or leave out `includeTotal`.',
    'The query took too long and was stopped.',
  ),
  timeout: help(
    'The service did not respond in time. It is not known whether a change was made.',
    'Send the request again. With the same `Idempotency-Key`, a change is made only once. If this happens often, request less data per request.',
    'The service did not respond in time.',
  ),
} satisfies Partial<Record<FaultCode, Help>>
