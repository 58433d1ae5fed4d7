// Bodies that are read here, and what becomes of those that are not: a connection can be used again after a body was
// refused. A declared length was judged before; this counts what really comes.
import type { IncomingMessage } from 'node:http'

const discardedBytesMax = 8 * 1024 * 1024

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
