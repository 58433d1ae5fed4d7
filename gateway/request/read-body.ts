// Reads a caller's body, or discards it so that the connection can be used again after a refusal. A declared length was
// checked before; this counts what really arrives.
import type { IncomingMessage } from 'node:http'

type ReadSoFar = { readonly chunks: readonly Buffer[]; readonly bytes: number; readonly isWhole: boolean }

const discardedBytesMax = 8 * 1024 * 1024

/**
 * Reads to the end, or until there are more than `bytesMax`. Rejects when the caller disconnects or `onBytes` throws.
 */
export async function readUpTo(
  source: IncomingMessage,
  bytesMax: number,
  onBytes: (bytes: number) => void = () => {},
): Promise<ReadSoFar> {
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

/** Resolves to null when there are more than `bytesMax`. */
export async function readBody(...args: Parameters<typeof readUpTo>): Promise<Buffer | null> {
  const { chunks, isWhole } = await readUpTo(...args)
  return isWhole ? Buffer.concat(chunks) : null
}

/**
 * Reads on and throws away, so that the caller can finish, see the refusal and use the connection again. A caller that
 * sends too much is cut off.
 */
export function discardRest(source: IncomingMessage): void {
  if (source.complete) return
  let remaining = discardedBytesMax
  // A pipe that ends later would stop the reading again.
  source.unpipe()
  source.on('data', (chunk: Buffer) => {
    remaining -= chunk.length
    if (remaining < 0) source.socket.destroy()
  })
  source.resume()
}
