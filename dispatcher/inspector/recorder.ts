// Writes down what the inspector receives, in batches, one at a time: however much it receives, it takes one connection
// to the database. And removes what is too old.
import { inspectedDaysMax } from '#contract/inspector.ts'
import type { Database } from '#prisma/client.ts'
import { batcher } from '#runtime/batcher.ts'
import { loop, type Loop } from '#runtime/loop.ts'
import { deleteBeyondLast, deleteOldInspected, insertInspected, type Inspected } from './rows.ts'

export type Recorder = {
  /** Resolves once it is written. Rejects where it is not. */
  record(inspected: Inspected): Promise<void>
  /** Resolves once what was given before is written, or has failed. */
  flush(): Promise<void>
}

const batchMax = 50
/** Of one batch, which is held in memory once more. One that is larger by itself goes alone. */
const batchBytesMax = 4 * 1024 * 1024

type Waiting = { readonly inspected: Inspected } & Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>

export function openRecorder(db: Database): Recorder {
  async function flush(waiting: readonly Waiting[]): Promise<void> {
    for (const part of bounded(waiting)) {
      try {
        await write(
          db,
          part.map(({ inspected }) => inspected),
        )
        for (const { resolve } of part) resolve()
      } catch (error) {
        for (const { reject } of part) reject(error)
      }
    }
  }
  const writes = batcher<Waiting>({ flush, start: 'item', maxItems: batchMax })
  return {
    record(inspected) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      writes.add({ inspected, resolve, reject })
      return promise
    },
    flush: writes.flush,
  }
}

async function write(db: Database, batch: readonly Inspected[]): Promise<void> {
  await insertInspected(db, batch)
  const webhooks = new Map(batch.map(({ workspaceId, webhookId }) => [webhookId, { workspaceId, webhookId }]))
  await deleteBeyondLast(db, [...webhooks.values()])
}

/** In parts of so many bytes at most. */
function bounded(waiting: readonly Waiting[]): Waiting[][] {
  const parts: Waiting[][] = []
  let bytes = Infinity
  for (const one of waiting) {
    bytes += one.inspected.bodyBytes
    if (bytes > batchBytesMax) {
      parts.push([])
      bytes = one.inspected.bodyBytes
    }
    parts.at(-1)?.push(one)
  }
  return parts
}

const everyMs = 600_000
const deletedMax = 500

export const startRemovingOld = (db: Database, onError: (error: unknown) => void): Loop =>
  loop(async () => ((await deleteOldInspected(db, inspectedDaysMax, deletedMax)) === deletedMax ? 0 : everyMs), onError)
