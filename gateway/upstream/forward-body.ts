// What goes to the service as the body of a call. A small one is read before the call takes a slot, so that nobody holds
// one by sending slowly; a large one is passed on as it comes, at no less than the lowest rate (gateway/upstream/minimum-upload-rate.ts).
import type { IncomingMessage } from 'node:http'
import { Transform, type Readable } from 'node:stream'
import { Fault } from '#contract/fault.ts'
import { readUpTo } from '../request/read-body.ts'
import { hasBody, tooLarge } from '../policies/content-headers.ts'
import type { OnBytes } from './body-memory-limit.ts'
import type { Body } from './lazy-body.ts'
import { heldUp, paceAfter, paceAt } from './minimum-upload-rate.ts'
import type { Watch } from './shared-timer.ts'

export type Reading = {
  readonly bytesMax: number
  /** A larger one flows when it is opened. */
  readonly readBytesMax: number
  /** Of what is read here. */
  readonly onBytes: OnBytes
  /** Before a large one flows that did not say how long it is; rejects where it may not. Gives whom to tell how long it was. */
  readonly onUndeclared: () => Promise<OnBytes>
}
type SlowBodies = { readonly watch: Watch; readonly windowMs: number }

export async function bodyOf(
  request: IncomingMessage,
  { bytesMax, readBytesMax, onBytes, onUndeclared }: Reading,
  slow: SlowBodies,
): Promise<Body> {
  if (request.method === 'GET' || request.method === 'HEAD' || !hasBody(request.headers)) return null
  if (Number(request.headers['content-length'] ?? 0) > readBytesMax) return () => passedOn(request, [], bytesMax, slow)
  const { chunks, bytes, isWhole } = await readUpTo(request, readBytesMax, onBytes)
  if (bytes > bytesMax) throw tooLarge(bytesMax)
  if (isWhole) return Buffer.concat(chunks)
  const onLength = await onUndeclared()
  return () => passedOn(request, chunks, bytesMax, slow, onLength)
}

/** Fails with `body_too_large` once there are too many bytes, with `request_timeout` where they come too slowly. */
function passedOn(
  source: IncomingMessage,
  begun: readonly Buffer[],
  bytesMax: number,
  { watch, windowMs }: SlowBodies,
  onLength: OnBytes = () => {},
): Readable {
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytesMax) done(tooLarge(bytesMax))
      else done(null, chunk)
    },
  })
  let pace = paceAt(performance.now())
  const stop = watch.add((now) => {
    const next = meter.writableNeedDrain ? heldUp(pace, bytes, now) : paceAfter(pace, bytes, windowMs, now)
    if (next === null) meter.destroy(tooSlow())
    else pace = next
  })
  meter.once('close', stop)
  meter.once('finish', () => onLength(bytes))
  source.once('end', stop)
  source.once('close', () => {
    if (!source.complete) meter.destroy(new Error('The caller left'))
  })
  // Whoever reads the meter hears its error; nobody may have begun to.
  meter.on('error', () => {})
  for (const chunk of begun) meter.write(chunk)
  return source.pipe(meter)
}

const tooSlow = (): Fault => new Fault('request_timeout', 'The body comes too slowly.')
