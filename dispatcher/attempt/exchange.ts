// One POST and the beginning of its answer, over undici's `dispatch`. Its `request` is the same with a stream and an abort
// signal for each answer, which cost more than the signatures, and here no more than the start of a body is read.
import type { Dispatcher } from 'undici'
import type { Timings } from '#contract/deliveries.ts'
import { timed } from './timings.ts'

export type Post = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}
export type Received = {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  /** The first 4 KiB. */
  readonly start: Buffer
  /** There was more, or the body was cut off. */
  readonly truncated: boolean
  readonly timings: Timings
}

const keptBytesMax = 4 * 1024
const readBytesMax = 64 * 1024

/** Rejects where no answer has begun. The status decides already: a body that is long, slow or cut off is no failure. */
export function exchange(agent: Dispatcher, { url, headers, body }: Post, timeoutMs: number): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>()
  const kept: Buffer[] = []
  let read = 0
  let head: Pick<Received, 'status' | 'headers' | 'timings'> | null = null
  let controller: Dispatcher.DispatchController | null = null
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller?.abort(timeoutError())
  }, timeoutMs)

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (given) => {
      controller = given
      if (isLate) given.abort(timeoutError())
    },
    onResponseStart: (given, status, answered) => {
      if (status < 100) given.abort(new Error('bad response'))
      else if (status >= 200) head = { status, headers: answered, timings: timings() }
    },
    onResponseData: (given, chunk) => {
      if (read < keptBytesMax) kept.push(chunk)
      read += chunk.length
      if (read > readBytesMax) given.abort(new Error('The rest of the body is not read'))
    },
    onResponseEnd: () => end(false),
    onResponseError: (_controller, error) => end(true, error),
  }
  const { origin, pathname, search } = url
  const timings = timed(
    () => void agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler),
  )
  return promise

  function end(cut: boolean, error?: Error): void {
    clearTimeout(timer)
    if (head === null) return reject(error ?? new Error('No answer has begun'))
    const start = Buffer.concat(kept).subarray(0, keptBytesMax)
    return resolve({ ...head, start, truncated: cut || read > keptBytesMax })
  }
}

const timeoutError = (): DOMException => new DOMException('The answer has not come in time', 'TimeoutError')
