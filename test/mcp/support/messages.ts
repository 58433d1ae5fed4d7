// Messages of MCP: of the versions before 2026-07-28, and of that one, with an envelope and headers.
export const modernVersion = '2026-07-28'

export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Id = string | number
type Params = {
  readonly _meta?: object
  readonly name?: string
  readonly uri?: string
  readonly [name: string]: unknown
}

export const request = (method: string, params?: object, id: Id = 7) => ({ jsonrpc: '2.0', id, method, params })

export const ping = request('ping')

export const toolCall = (name: string, args: object = {}, id: Id = 7) =>
  request('tools/call', { name, arguments: args }, id)

export const initialize = (params: object = {}, id: Id = 7) => {
  const clientInfo = { name: 'test', version: '1' }
  return request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo, ...params }, id)
}

/** Members of the envelope and headers that are undefined are left out. */
export function modernRequest(method: string, { _meta, ...params }: Params = {}, headers: object = {}) {
  const name = params.name ?? params.uri
  const named = { 'mcp-protocol-version': modernVersion, 'mcp-method': method, 'mcp-name': name, ...headers }
  return {
    body: request(method, { ...params, _meta: { ...modernMeta, ..._meta } }),
    headers: Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
  }
}
