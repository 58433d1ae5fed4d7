// Leases that this dispatcher has without knowing of them: they were committed, and the answer was lost with the
// connection. Once the database has answered again for a while, they end, so that nothing waits until they would expire.
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import { leaseSeconds } from './leases.ts'

export type UnansweredLeases = {
  /** A statement that takes leases has failed. */
  noteFailure(): void
  close(): Promise<void>
}
type Options = {
  readonly db: Database
  readonly owner: string
  /** The ids of the deliveries that it knows of. */
  readonly inHand: () => readonly string[]
  readonly onError: (error: unknown) => void
  /** How long ago the last failure is, and how old the leases are that end. */
  readonly afterMs?: number
}

/** Longer than any statement or transaction may take (prisma/pool.ts): a younger lease may be one that is being answered. */
const standardAfterMs = 20_000
const everyMs = 1_000

export function openUnansweredLeases(options: Options): UnansweredLeases {
  const { onError, afterMs = standardAfterMs } = options
  let failedAt: number | null = null

  const looks = loop(async () => {
    if (failedAt === null) return everyMs
    const restMs = failedAt + afterMs - performance.now()
    if (restMs > 0) return Math.min(restMs, everyMs)
    failedAt = null
    await endUnanswered(options, afterMs).catch((error: unknown) => {
      failedAt ??= performance.now()
      onError(error)
    })
    return everyMs
  }, onError)
  return { noteFailure: () => void (failedAt = performance.now()), close: looks.close }
}

/** The owner stays: if it is the one who claims them, nothing of theirs has been interrupted. */
const endUnanswered = ({ db, owner, inHand }: Options, afterMs: number): Promise<number> =>
  db.$executeRaw`
    UPDATE delivery SET lease_until = now()
    WHERE next_attempt_at IS NOT NULL AND lease_owner = ${owner} AND lease_until > now()
      AND lease_until <= now() + ${leaseSeconds * 1_000 - afterMs}::int * interval '1 millisecond'
      AND id <> ALL (${inHand()}::uuid[])`
