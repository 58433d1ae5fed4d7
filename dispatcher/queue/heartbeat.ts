// Each dispatcher says about every second that it is there. What one has leased that was not heard of for some seconds
// is free for the others: it was killed, or frozen, or cut off from the database.
// Nobody judges others who was not itself heard of without a gap for as long: after an outage of the database all of
// them come back at about the same time, and none of them is dead.
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'

export type Presence = {
  /** May those who were not heard of be taken for dead? */
  mayJudge(): boolean
  close(): Promise<void>
}

/** Generous: a heartbeat that is late by more than this costs a second sending, under the same id. */
export const silentSeconds = 6
/** Longer than any lease: an owner that is not in the table is not dead, but one that does not say that it is there. */
const forgottenAfterMinutes = 60
const everyMs = 1_000
/** A longer silence of our own is a gap. */
const gapMs = 3_000

export function openPresence(
  db: Database,
  owner: string,
  onError: (error: unknown) => void,
  judgesAfterMs = silentSeconds * 1_000,
): Presence {
  let heardAt = -Infinity
  let steadySince = Infinity

  async function beat(): Promise<void> {
    const saidAt = performance.now()
    await sayHere(db, owner)
    if (saidAt - heardAt > gapMs) steadySince = saidAt
    heardAt = saidAt
  }

  // A failure makes the next one no later than it would have been.
  const beats = loop(async () => {
    await beat().catch(onError)
    return everyMs
  }, onError)
  const mayJudge = () => {
    const now = performance.now()
    return now - heardAt <= gapMs && now - steadySince >= judgesAfterMs
  }
  return { mayJudge, close: beats.close }
}

// A heartbeat that is lost with the whole database is missed by nobody: no need to wait for the disk.
const sayHere = (db: Database, owner: string): Promise<number> =>
  db.$executeRaw`
    WITH unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS value),
    forgotten AS (
      DELETE FROM dispatcher_process WHERE seen_at < now() - ${forgottenAfterMinutes}::int * interval '1 minute'
    )
    INSERT INTO dispatcher_process (owner, seen_at) SELECT ${owner}, now() FROM unhurried
    ON CONFLICT (owner) DO UPDATE SET seen_at = excluded.seen_at`
