// Leases on the delivery rows, which are the durable queue: which dispatcher works on a row, and until when. A lease
// need not be released, since it expires. All times in the rows are the database's, so dispatchers need not agree on
// one. A lease ends in one of four ways: with the result, by its release, by its expiry, or as unanswered or
// interrupted.
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import { clearLeases, endLeases, interruptSending, type DeliveryKey } from './rows.ts'

export type LeasedDelivery = DeliveryKey & {
  readonly webhookId: string
  /** In ms of this process's own clock (performance.now), a little before the end that the row has. */
  readonly leaseEndsAt: number
}

export const leaseSeconds = 60

export const leaseEndFromNow = (): number => performance.now() + leaseSeconds * 1_000

/** Releases deliveries of this owner that were not sent: any dispatcher may lease them at once. */
export async function releaseLeases(db: Database, owner: string, keys: readonly DeliveryKey[]): Promise<void> {
  if (keys.length === 0) return
  await clearLeases(db, owner, keys)
}

/**
 * Ends leases that this dispatcher has without knowing of them: they were committed, and the answer was lost with the
 * connection. Once the database has answered again for a while, they end, so that nothing waits until they would
 * expire.
 */
export type UnansweredLeases = {
  /** A statement that takes leases has failed. */
  noteFailure(): void
  close(): Promise<void>
}
type UnansweredOptions = {
  readonly db: Database
  readonly owner: string
  /** The ids of the deliveries that this dispatcher knows of. */
  readonly acceptedIds: () => readonly string[]
  readonly onError: (error: unknown) => void
  /** How long ago the last failure is, and how old the leases are that end. */
  readonly afterMs?: number
}

/**
 * Longer than any statement or transaction may take (prisma/pool.ts): a younger lease may be one that is being
 * answered.
 */
const unansweredAfterMs = 20_000
const lookEveryMs = 1_000

export function openUnansweredLeases(options: UnansweredOptions): UnansweredLeases {
  const { onError, afterMs = unansweredAfterMs } = options
  let failedAt: number | null = null

  // The clock of the database may differ from ours: it is asked until the lost leases would have expired by themselves.
  const looks = loop(async () => {
    const sinceMs = failedAt === null ? Infinity : performance.now() - failedAt
    if (sinceMs < afterMs) return Math.min(afterMs - sinceMs, lookEveryMs)
    if (sinceMs > leaseSeconds * 1_000) failedAt = null
    else await endUnanswered(options, afterMs)
    return lookEveryMs
  }, onError)
  function noteFailure(): void {
    failedAt = performance.now()
  }
  return { noteFailure, close: looks.close }
}

/** The owner stays: if the same dispatcher claims them again, nothing has been interrupted. */
const endUnanswered = ({ db, owner, acceptedIds }: UnansweredOptions, afterMs: number): Promise<number> =>
  endLeases(db, owner, leaseSeconds * 1_000 - afterMs, acceptedIds())

/** Ends the leases of what this owner was sending when it stopped: any dispatcher may lease it at once. */
export async function recordInterrupted(db: Database, owner: string, keys: readonly DeliveryKey[]): Promise<void> {
  if (keys.length === 0) return
  await interruptSending(db, owner, keys)
}
