// Batches of any length: cut into calls of up to a hundred items, sent one after the other at the pace of the rate
// limit, with the results in the order of the items.
import { ApiError } from './errors.ts'
import { collections, type OperationName } from './operations.ts'
import type { Sender } from './send.ts'
import type { Problem } from './schema.ts'
import type { BatchResult } from './shown.ts'

export type BatchOptions<F extends string = string, E extends string = string> = {
  readonly fields?: readonly F[] | undefined
  readonly expand?: readonly E[] | undefined
  readonly signal?: AbortSignal | undefined
}

type Result<T> = BatchResult<T, Problem>

/** `for await` gives each result as it comes, `await` all of them. Its index is that of the item among all items. */
export type BatchResults<T> = AsyncIterable<Result<T>> & PromiseLike<Result<T>[]>

/** A call of a batch failed as a whole. `done` are the results of the items before it; `cause` says why. */
export class BatchError extends Error {
  override readonly name = 'BatchError'
  readonly done: readonly Result<unknown>[]

  constructor(done: readonly Result<unknown>[], cause: unknown) {
    super(`The batch ended after ${done.length} items: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
    this.done = done
  }
}

type Item = { readonly id?: string; readonly data?: unknown }
const itemsMax = 100
/** A body counts as one call for each part of this size. */
const bytesPerCall = 64 * 1024
/** Of the body around the items. */
const bytesAround = 1_000

type Chunk = { readonly items: readonly Item[]; readonly bytes: number }

export function batchAll<T>(
  sender: Sender,
  collection: string,
  items: Iterable<object> | AsyncIterable<object>,
  options: BatchOptions = {},
): BatchResults<T> {
  const results = () => resultsOf<T>(sender, collection, items, options)
  async function collected(): Promise<Result<T>[]> {
    const all: Result<T>[] = []
    try {
      for await (const result of results()) all.push(result)
    } catch (error) {
      throw new BatchError(all, error)
    }
    return all
  }
  return {
    [Symbol.asyncIterator]: results,
    // oxlint-disable-next-line unicorn/no-thenable -- that is what it is: `await` gives all results
    then: (fulfilled, rejected) => collected().then(fulfilled, rejected),
  }
}

async function* resultsOf<T>(
  { send, pace }: Sender,
  collection: string,
  items: Iterable<object> | AsyncIterable<object>,
  { signal, ...answer }: BatchOptions,
): AsyncGenerator<Result<T>, void> {
  const { bytesMax, references } = collections[collection]!
  const ids = new Map<number, string>()
  let limit = itemsMax
  let done = 0
  for await (const chunk of chunksOf(items, bytesMax)) {
    let rest = chunk.items
    while (rest.length > 0) {
      const part = rest.slice(0, limit)
      const sent = part.map((item) => withReferences(item, references, done, ids))
      await pace(Math.max(part.length, Math.ceil(chunk.bytes / bytesPerCall)), signal)
      const answered = await sendOnce<T>(part.length, () =>
        send(`${collection}.batch` as OperationName, { ...answer, items: sent }, { signal }),
      )
      if (typeof answered === 'number') {
        limit = answered
        continue
      }
      rest = rest.slice(part.length)
      for (const result of answered) {
        const index = done++
        const { id } = (result.data ?? {}) as { id?: string }
        if (id !== undefined) ids.set(index, id)
        yield { ...result, index }
      }
    }
  }
}

/** The results, or how many items fit into a call where these are too many for the rate limit. */
async function sendOnce<T>(length: number, send: () => Promise<unknown>): Promise<Result<T>[] | number> {
  try {
    return ((await send()) as { results: Result<T>[] }).results
  } catch (error) {
    const limit = error instanceof ApiError && error.code === 'too_many_items' ? Number(error.problem['limit']) : 0
    if (limit >= 1 && limit < length) return limit
    throw error
  }
}

/** Up to a hundred items, and no more bytes than a body may have. */
async function* chunksOf(
  items: Iterable<object> | AsyncIterable<object>,
  bytesMax: number,
): AsyncGenerator<Chunk, void> {
  const encoder = new TextEncoder()
  let chunk: Item[] = []
  let bytes = bytesAround
  for await (const item of items) {
    const size = encoder.encode(JSON.stringify(item)).length + 1
    if (chunk.length > 0 && (chunk.length === itemsMax || bytes + size > bytesMax)) {
      yield { items: chunk, bytes }
      chunk = []
      bytes = bytesAround
    }
    chunk.push(item)
    bytes += size
  }
  if (chunk.length > 0) yield { items: chunk, bytes }
}

/**
 * `#7` names the object of item 7 of all items: in the call that has this item it is `#` and its place there, in a
 * later call the id that came of it. `done` items went in calls before.
 */
function withReferences(item: Item, fields: readonly string[], done: number, ids: ReadonlyMap<number, string>): Item {
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, renamed(inside)]))
    const [, number] = /^#(\d+)$/.exec(typeof value === 'string' ? value : '') ?? []
    if (number === undefined) return value
    const index = Number(number)
    // What was refused has no id: the item that names it is refused as well.
    return index >= done ? `#${index - done}` : (ids.get(index) ?? value)
  }
  const { data } = item
  return {
    ...item,
    ...(item.id !== undefined && { id: renamed(item.id) as string }),
    ...(typeof data === 'object' &&
      data !== null && {
        data: Object.fromEntries(
          Object.entries(data).map(([name, value]) => [name, fields.includes(name) ? renamed(value) : value]),
        ),
      }),
  }
}
