// The body of an MCP call as a JSON-RPC message, before it is checked.

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
