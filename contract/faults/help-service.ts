// Failures of the installation.
import type { FaultCode } from './fault.ts'
import { help, type Help } from './help-entry.ts'

export const serviceFaults = {
  internal_error: help(
    'An unexpected error occurred. The log of this installation has it under the `requestId`.',
    'Try again once. If the error persists, contact the operator of this installation and quote the `requestId`.',
    'Something failed on our side. Quote the request ID when you contact the operator.',
  ),
  upstream_error: help(
    'A part of the service failed while it processed the request. It is not known whether a change was made.',
    'Send the request again. With the same `Idempotency-Key`, a change is made only once. Reads can always be repeated.',
    'The service failed before it responded.',
  ),
  unavailable: help(
    'The service cannot accept the request at the moment: the service is starting, stopping or busy, or a dependency is unavailable. Nothing was changed unless `detail` says otherwise. If `violated-policies` is present, it says what is full, and `type` is the IANA problem type `temporary-reduced-capacity`.',
    'Send the same request again after `Retry-After` seconds, and wait longer each time.',
    'The service cannot be reached at the moment.',
    { retryAfterSeconds: 1 },
  ),
  storage_full: help(
    'The disk of this installation’s database, or its store of files, is full. Nothing was changed; stored data can still be read.',
    'Send the same request again after `Retry-After` seconds, and wait longer each time. The operator of this installation must free space on the disk of Postgres, of the data folder, or of the files.',
    'The database has no room on its disk.',
    { retryAfterSeconds: 30 },
  ),
  query_too_costly: help(
    'A database query of the request took too long and was stopped (after 2 seconds, unless this installation sets `READ_TIMEOUT_SECONDS`). The same request would be stopped again.',
    'Request less at once: use a longer or a second word in `q`, another filter, a time range, or no `includeTotal`.',
    'The query took too long and was stopped.',
  ),
  timeout: help(
    'The service did not respond in time. It is not known whether a change was made.',
    'Send the request again. With the same `Idempotency-Key`, a change is made only once. Request less at once if it happens often.',
    'The service did not respond in time.',
  ),
} satisfies Partial<Record<FaultCode, Help>>
