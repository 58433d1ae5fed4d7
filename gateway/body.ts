// Bodies on their way through. A declared length was judged before; these count what really comes, and see to it that
// a connection can be used again after a body was refused.
import type { IncomingMessage } from 'node:http'
import { Transform, type Readable } from 'node:stream'
import { tooLarge } from './policies/content.ts'

const discardedBytesMax = 8 * 1024 * 1024

/** The same bytes; fails with `body_too_large` once there are too many, and when the caller leaves. */
export function metered(source: IncomingMessage, bytesMax: number): Readable {
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytesMax) done(tooLarge(bytesMax))
      else done(null, chunk)
    },
  })
  source.once('close', () => {
    if (!source.complete) meter.destroy(new Error('The caller left'))
  })
  // Whoever reads the meter hears its error; nobody may have begun to.
  meter.on('error', () => {})
  return source.pipe(meter)
}

/** Null where there is more than that. Rejects when the caller leaves. */
export async function readBody(source: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes)
}

/**
 * Reads on and throws away, so that the caller can finish, see the refusal and use the connection again. One that has
 * too much to say is cut off.
 */
export function discardRest(source: IncomingMessage): void {
  if (source.complete) return
  let left = discardedBytesMax
  source.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) source.socket.destroy()
  })
  source.resume()
}
