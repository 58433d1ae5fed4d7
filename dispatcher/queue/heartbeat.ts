// Each dispatcher writes a heartbeat about every second. When there was none for some seconds, its leases are free for
// the others: it was killed, or frozen, or cut off from the database.
// A dispatcher takes over from others only after its own heartbeats were without a gap for as long: after an outage of
// the database all of them come back at about the same time, and none of them is dead.
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import { writeHeartbeat } from './rows.ts'

export type Heartbeat = {
  /** Whether dispatchers without a heartbeat may be taken for dead. */
  mayTakeOver(): boolean
  close(): Promise<void>
}

/** Generous: a heartbeat that is later than this costs a second send, under the same id. */
export const silentAfterSeconds = 6
/** Longer than any lease: no dispatcher takes over from an owner that has no row. */
const forgottenAfterMinutes = 60
const everyMs = 1_000
/** A longer pause between our own heartbeats is a gap. */
const gapMs = 3_000

export function startHeartbeat(
  db: Database,
  owner: string,
  onError: (error: unknown) => void,
  takesOverAfterMs = silentAfterSeconds * 1_000,
): Heartbeat {
  let lastAt = -Infinity
  let steadySince = Infinity

  async function beat(): Promise<void> {
    const sentAt = performance.now()
    await writeHeartbeat(db, owner, forgottenAfterMinutes)
    if (sentAt - lastAt > gapMs) steadySince = sentAt
    lastAt = sentAt
  }

  // After a failure the next heartbeat is no later than usual.
  const beats = loop(async () => {
    await beat().catch(onError)
    return everyMs
  }, onError)
  const mayTakeOver = () => {
    const now = performance.now()
    return now - lastAt <= gapMs && now - steadySince >= takesOverAfterMs
  }
  return { mayTakeOver, close: beats.close }
}
