// What is kept for a while only is deleted when that while is over. Runs in every service process; two at once delete
// what is there between them.
import { setTimeout as after } from 'node:timers/promises'
import { idempotencyKeptHours } from '#contract/limits.ts'
import type { Database } from '#prisma/client.ts'
import type { Part } from '#runtime/process.ts'
import { deleteOutdatedEntries } from './audit/purge.ts'

const everyMs = 600_000
const batchMax = 5_000
const hourMs = 3_600_000

export function keepHouse(db: Database, onError: (error: unknown) => void): Part {
  const closing = new AbortController()
  const running = untilAborted(closing.signal, async () => {
    await deleteOutdatedAnswers(db, new Date()).catch(onError)
    await deleteOutdatedEntries(db).catch(onError)
  })
  return {
    close: async () => {
      closing.abort()
      await running
    },
  }
}

/** In batches, so that no statement holds many rows for long. Gives how many there were. */
export async function deleteOutdatedAnswers(db: Database, now: Date): Promise<number> {
  const outdated = new Date(now.getTime() - idempotencyKeptHours * hourMs)
  let deleted = 0
  for (let last = batchMax; last === batchMax; deleted += last) {
    last = await db.$executeRaw`
      DELETE FROM idempotency_record WHERE (caller_id, workspace_id, operation, key) IN (
        SELECT caller_id, workspace_id, operation, key FROM idempotency_record
        WHERE created_at < ${outdated} ORDER BY created_at LIMIT ${batchMax}::int FOR UPDATE SKIP LOCKED
      )`
  }
  return deleted
}

async function untilAborted(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await after(everyMs, undefined, { signal }).catch(() => {})
  }
}
