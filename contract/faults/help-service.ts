// Failures of the installation.
import type { FaultCode } from './fault.ts'
import { help, type Help } from './help-entry.ts'

export const serviceFaults = {
  internal_error: help(
    'Something failed that should not have. It is in the log of this installation under the `requestId`.',
    'Try again once. If it stays so, write to whoever runs this installation and quote the `requestId`.',
    'Something failed on our side. Quote the request id if you write to us.',
  ),
  upstream_error: help(
    'A part of the service broke off while it worked on the call. Whether a change was made is not known.',
    'Send the call again: with the same `Idempotency-Key` a change acts once, and reads can be repeated anyway.',
    'The service broke off.',
  ),
  unavailable: help(
    'The service cannot take the call at the moment: it starts, stops, is busy, or something that it needs is away. Nothing was done, or `detail` says otherwise. Where `violated-policies` says what has no room, `type` is the one that is registered for that (`temporary-reduced-capacity`).',
    'Send the same call again after `Retry-After` seconds, and wait longer each time.',
    'The service cannot be reached at the moment.',
    { retryAfterSeconds: 1 },
  ),
  storage_full: help(
    'The database of this installation has no room left on its disk. Nothing was changed; what is stored can be read.',
    'Send the same call again after `Retry-After` seconds, and wait longer each time. Whoever runs this installation makes room: the disk of Postgres, or of the data folder.',
    'The database has no room on its disk.',
    { retryAfterSeconds: 30 },
  ),
  query_too_costly: help(
    'A statement of the call ran for longer than one call may have the database (2 seconds where this installation has not set `READ_TIMEOUT_SECONDS`), and was stopped. The same call would be stopped again.',
    'Ask for less at once: a longer or a second word in `q`, another filter beside it, a time range, no `includeTotal`.',
    'This takes the database too long. Ask for less at once.',
  ),
  timeout: help(
    'The service did not answer in time. Whether a change was made is not known.',
    'Send the call again: with the same `Idempotency-Key` a change acts once. Ask for less at once where it happens often.',
    'The service did not answer in time.',
  ),
} satisfies Partial<Record<FaultCode, Help>>
