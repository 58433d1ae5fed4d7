// JSON-RPC batches, which MCP no longer has and older clients send. Each entry is served by itself, so that an invalid
// one does not fail the others; four run at a time.
import { rpcCodes } from '#contract/json-rpc-errors.ts'
import { mcpBatchCallsMax, mcpBatchConcurrency } from '#contract/size-limits.ts'
import { errorAnswer, messageError, type ErrorAnswer, type Id, type Message } from './json-rpc-messages.ts'
import { paramsError } from './validate-params.ts'

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
  const answers = await mapPooled(
    batch,
    mcpBatchConcurrency,
    async (entry) => entryError(entry, twice) ?? serve(entry as Message),
  )
  return answers.filter((answer) => answer !== null)
}

function entryError(entry: unknown, twice: ReadonlySet<Id>): ErrorAnswer | null {
  const flaw = messageError(entry)
  if (flaw !== null) return flaw
  const { id, method } = entry as Message
  if (id !== undefined && twice.has(id)) return errorAnswer(id, rpcCodes.invalidRequest, 'Two entries have this id.')
  return method === 'initialize'
    ? errorAnswer(id ?? null, rpcCodes.invalidRequest, '`initialize` must stand alone.')
    : paramsError(entry as Message)
}

// 1 and "1" are different ids, as they are different keys of a Set.
function repeatedIds(batch: readonly unknown[]): ReadonlySet<Id> {
  const ids = batch.flatMap((entry) => (entry as Partial<Message> | null)?.id ?? [])
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
