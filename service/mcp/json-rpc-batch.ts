// JSON-RPC batches, which MCP no longer has and older clients send. Each entry is served by itself, so that an invalid
// one does not fail the others; four run at a time, and none begins after the batch was stopped.
import { rpcCodes, mcpBatchCallsMax, mcpBatchConcurrency } from '#contract/faults/json-rpc.ts'
import {
  errorAnswer,
  idOf,
  messageError,
  wantsAnswer,
  type ErrorAnswer,
  type Id,
  type Message,
} from './json-rpc-messages.ts'

/** The error for a batch that is refused as a whole; null where its entries may be served. */
export function batchError(batch: readonly unknown[], isModern: boolean): ErrorAnswer | null {
  if (isModern) return errorAnswer(null, rpcCodes.invalidRequest, 'This protocol version has no batches.')
  if (batch.length === 0) return errorAnswer(null, rpcCodes.invalidRequest, 'The batch is empty.')
  if (batch.length <= mcpBatchCallsMax) return null
  return errorAnswer(null, rpcCodes.invalidRequest, `A batch has at most ${mcpBatchCallsMax} entries.`, {
    limit: mcpBatchCallsMax,
  })
}

/** Returns the answers in the order of the entries; notifications have none. */
export async function runBatch(
  batch: readonly unknown[],
  serve: (message: Message) => Promise<object | null>,
): Promise<object[]> {
  const twice = repeatedIds(batch)
  const answers = await mapPooled(batch, mcpBatchConcurrency, async (entry) => {
    const flaw = entryError(entry, twice)
    if (flaw !== null) return flaw
    // `entryError` has judged it by the schema of this very type.
    const message = entry as Message
    return wantsAnswer(message) ? serve(message) : null
  })
  return answers.filter((answer) => answer !== null)
}

function entryError(entry: unknown, twice: ReadonlySet<Id>): ErrorAnswer | null {
  const flaw = messageError(entry)
  if (flaw !== null) return flaw
  const id = idOf(entry)
  if (id === null) return null
  if (twice.has(id)) return errorAnswer(id, rpcCodes.invalidRequest, 'Two entries have this id.')
  const { method } = entry as Message
  return method === 'initialize' ? errorAnswer(id, rpcCodes.invalidRequest, '`initialize` must stand alone.') : null
}

// 1 and "1" are different ids, as they are different keys of a Set. The id of a posted response is no entry's own.
function repeatedIds(batch: readonly unknown[]): ReadonlySet<Id> {
  const asked = batch.filter((entry) => (entry as Partial<Message> | null)?.method !== undefined)
  const ids = asked.flatMap((entry) => idOf(entry) ?? [])
  return new Set(ids.filter((id, at) => ids.indexOf(id) !== at))
}

async function mapPooled<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = Array.from({ length: items.length })
  const queue = items.entries()
  const worker = async () => {
    for (const [at, item] of queue) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
