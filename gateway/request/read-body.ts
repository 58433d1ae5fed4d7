// Bodies that are read here, and what becomes of those that are not: a connection can be used again after a body was
// refused. A declared length was judged before; this counts what really comes.
import type { IncomingMessage } from 'node:http'

type Beginning = { readonly chunks: readonly Buffer[]; readonly bytes: number; readonly isWhole: boolean }

const discardedBytesMax = 8 * 1024 * 1024

/** Reads to the end, or until there is more than that. Rejects when the caller leaves, and where `onBytes` throws. */
export async function readUpTo(
  source: IncomingMessage,
  bytesMax: number,
  onBytes: (bytes: number) => void = () => {},
): Promise<Beginning> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    onBytes(chunk.length)
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bytesMax) return { chunks, bytes, isWhole: false }
  }
  return { chunks, bytes, isWhole: true }
}

/** Null where there is more than that. */
export async function readBody(...asked: Parameters<typeof readUpTo>): Promise<Buffer | null> {
  const { chunks, isWhole } = await readUpTo(...asked)
  return isWhole ? Buffer.concat(chunks) : null
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
