// The body of a call on its way to the service. A small one is read before the call takes a slot, so that no caller
// holds one by sending slowly; a large one is streamed, at no less than the lowest rate
// (gateway/overload/slow-callers.ts).
import type { IncomingMessage, IncomingHttpHeaders } from 'node:http'
import { Readable, Transform } from 'node:stream'
import { Fault } from '#contract/faults/fault.ts'
import type { MaybePromise } from '#runtime/maybe-promise.ts'
import { readUpTo, whole } from '../request/body.ts'
import { firstWindow, restarted, windowAfter, type SharedTimer } from './slow-callers.ts'
import { overCapacity } from '#contract/faults/fault.ts'
import type { RequestContext } from '../request/request-context.ts'

// The body, by Content-Type, Content-Encoding and Content-Length. It is judged before the body is read; one without
// a declared length is counted while it is read (gateway/request/body.ts). Where no byte comes there is nothing to
// judge: clients name a type for a body that they do not send, such as axios and curl, which call it a form.

/** Whether one is announced. A body of undeclared length may turn out to have no bytes. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export const tooLarge = (limitBytes: number): Fault =>
  new Fault('body_too_large', `A body can have at most ${limitBytes} bytes.`, { limitBytes })

/** A large body is a function, to be called once, when it is to flow: nothing of a stream can be sent twice. */
export type Body = Buffer | (() => Readable) | null
export type BodyBounds = {
  readonly bytesMax: number
  /** A larger one is streamed. */
  readonly readBytesMax: number
  /** Called with the size of each piece that is read here. */
  readonly onBytes: OnBytes
  /**
   * Called before a large body of undeclared length is streamed; rejects when it may not be. Returns what is called
   * with its length.
   */
  readonly onUndeclared: () => Promise<OnBytes>
}
type RateCheck = { readonly timer: SharedTimer; readonly windowMs: number }

/** Returns null for a call without a body, and for one whose body has no bytes. */
export function bodyOf(
  request: IncomingMessage,
  { bytesMax, readBytesMax, onBytes, onUndeclared }: BodyBounds,
  rateCheck: RateCheck,
): MaybePromise<Body> {
  if (request.method === 'GET' || request.method === 'HEAD' || !hasBody(request.headers)) return null
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > readBytesMax) return () => limitBytes(request, [], bytesMax, rateCheck)
  return readUpTo(request, readBytesMax, onBytes).then(({ chunks, bytes, isWhole }): MaybePromise<Body> => {
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    if (isWhole) return bytes === 0 ? null : whole(chunks)
    return onUndeclared().then((onLength) => () => limitBytes(request, chunks, bytesMax, rateCheck, onLength))
  })
}

/**
 * The body for undici, which reads nothing of a stream before the request's head is written: an attempt that never
 * connects neither reads the body nor ends it.
 */
export const lazyBody = (body: Body): Buffer | Readable | null =>
  typeof body === 'function' ? Readable.from(opened(body), { objectMode: false }) : body

async function* opened(open: () => Readable): AsyncGenerator<Buffer> {
  yield* open() as AsyncIterable<Buffer>
}

/** Fails with `body_too_large` after too many bytes, with `request_timeout` when they arrive too slowly. */
function limitBytes(
  source: IncomingMessage,
  chunksRead: readonly Buffer[],
  bytesMax: number,
  { timer, windowMs }: RateCheck,
  onLength: OnBytes = () => {},
): Readable {
  let bytes = 0
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytesMax) done(tooLarge(bytesMax))
      else done(null, chunk)
    },
  })
  let window = firstWindow(performance.now())
  const stop = timer.add((now) => {
    const next = limited.writableNeedDrain ? restarted(window, bytes, now) : windowAfter(window, bytes, windowMs, now)
    if (next === null) limited.destroy(tooSlow())
    else window = next
  })
  limited.once('close', stop)
  limited.once('finish', () => onLength(bytes))
  source.once('end', stop)
  source.once('close', () => {
    if (!source.complete) limited.destroy(new Error('The caller disconnected'))
  })
  // The reader of the stream gets its error; there may be none yet.
  limited.on('error', () => {})
  for (const chunk of chunksRead) limited.write(chunk)
  return source.pipe(limited)
}

const tooSlow = (): Fault => new Fault('request_timeout', 'The body arrived too slowly.')

// A body that is read before its call goes on is held in memory until the call has ended. How much memory the bodies of
// one key take up is bounded, however many it sends at once and however slowly.

export type BodyMemory = {
  /**
   * Returns what is to be called with the size of each piece that arrives; that throws `unavailable` when a bound is
   * reached. The bytes are freed when the response closes.
   */
  countBytes(keyId: string, context: Closing): OnBytes
  /** Of all keys, in bytes. */
  held(): number
}
type Closing = Pick<RequestContext, 'isClosed' | 'onClose'>
type OnBytes = (bytes: number) => void

const bounds = { all: 128 * 1024 * 1024, each: 16 * 1024 * 1024 }

export function bodyMemory({ all, each } = bounds): BodyMemory {
  const byKey = new Map<string, number>()
  let total = 0

  function change(keyId: string, by: number): void {
    const bytes = (byKey.get(keyId) ?? 0) + by
    total += by
    if (bytes === 0) byKey.delete(keyId)
    else byKey.set(keyId, bytes)
  }

  function countBytes(keyId: string, context: Closing): OnBytes {
    let held = 0
    context.onClose(() => change(keyId, -held))
    return (bytes) => {
      if (context.isClosed) return
      if (total + bytes > all || (byKey.get(keyId) ?? 0) + bytes > each) throw tooMuch()
      held += bytes
      change(keyId, bytes)
    }
  }
  return { countBytes, held: () => total }
}

const tooMuch = (): Fault =>
  overCapacity('body-memory', 'Too much is being sent at once. Send fewer requests at a time.')
