// Reads a caller's body, or discards it so that the connection can be used again after a refusal. A declared length was
// checked before; this counts what really arrives. The body of MCP is looked at as JSON-RPC, before it is checked.
import type { IncomingMessage } from 'node:http'

type ReadSoFar = { readonly chunks: readonly Buffer[]; readonly bytes: number; readonly isWhole: boolean }

const discardedBytesMax = 8 * 1024 * 1024

/**
 * Reads to the end, or until there are more than `bytesMax`. Rejects when the caller disconnects or `onBytes` throws.
 */
export function readUpTo(
  source: IncomingMessage,
  bytesMax: number,
  onBytes: (bytes: number) => void = () => {},
): Promise<ReadSoFar> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadSoFar>()
  const chunks: Buffer[] = []
  let bytes = 0

  const onData = (chunk: Buffer): void => {
    chunks.push(chunk)
    bytes += chunk.length
    try {
      onBytes(chunk.length)
    } catch (error) {
      return stop(() => reject(error))
    }
    if (bytes > bytesMax) stop(() => resolve({ chunks, bytes, isWhole: false }))
  }
  const onEnd = (): void => stop(() => resolve({ chunks, bytes, isWhole: true }))
  const onClose = (): void => stop(() => reject(new Error('The caller disconnected')))
  /** What comes later is for the next reader. */
  function stop(settle: () => void): void {
    source.pause()
    source.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
    settle()
  }
  if (source.readableEnded) onEnd()
  else if (source.destroyed) onClose()
  else source.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  return promise
}

/** Resolves to null when there are more than `bytesMax`. */
export async function readBody(...args: Parameters<typeof readUpTo>): Promise<Buffer | null> {
  const { chunks, isWhole } = await readUpTo(...args)
  return isWhole ? whole(chunks) : null
}

/** A small body comes in one piece, which need not be copied. */
export const whole = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)

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

export type RpcId = string | number | null

/** Returns undefined when the body is no JSON. */
export function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Returns the id to answer with: that of a single request, null when there is none that can be read. */
export function rpcIdIn(body: Buffer): RpcId {
  const message = parsedJson(body)
  if (!isObject(message)) return null
  const { id } = message
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
