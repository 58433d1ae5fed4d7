// The body of a call on its way to the service. A small one is read before the call takes a slot, so that nobody holds
// one by sending slowly; a large one is streamed, at no less than the lowest rate
// (gateway/overload/minimum-upload-rate.ts).
import type { IncomingMessage } from 'node:http'
import { Readable, Transform } from 'node:stream'
import { Fault } from '#contract/faults/fault.ts'
import { readUpTo } from '../request/read-body.ts'
import { hasBody, tooLarge } from '../policies/request-content-type.ts'
import type { OnBytes } from './body-memory-limit.ts'
import { firstWindow, restarted, windowAfter } from './minimum-upload-rate.ts'
import type { SharedTimer } from './shared-timer.ts'

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
export async function bodyOf(
  request: IncomingMessage,
  { bytesMax, readBytesMax, onBytes, onUndeclared }: BodyBounds,
  rateCheck: RateCheck,
): Promise<Body> {
  if (request.method === 'GET' || request.method === 'HEAD' || !hasBody(request.headers)) return null
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > readBytesMax) return () => limitBytes(request, [], bytesMax, rateCheck)
  const { chunks, bytes, isWhole } = await readUpTo(request, readBytesMax, onBytes)
  if (bytes > bytesMax) throw tooLarge(bytesMax)
  if (isWhole) return bytes === 0 ? null : Buffer.concat(chunks)
  const onLength = await onUndeclared()
  return () => limitBytes(request, chunks, bytesMax, rateCheck, onLength)
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
  // Whoever reads the stream gets its error; nobody may be reading yet.
  limited.on('error', () => {})
  for (const chunk of chunksRead) limited.write(chunk)
  return source.pipe(limited)
}

const tooSlow = (): Fault => new Fault('request_timeout', 'The body comes too slowly.')
