// MCP as a test speaks it: tools called by name, with the result as the model and the client get it.
import { must, type Tenant } from './system.ts'

export type ToolResult = {
  readonly isError: boolean
  readonly text: string
  // Results differ with every tool, and a test states by its assertions what it expects of one.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly structured: any
}

const structuredVersion = { 'mcp-protocol-version': '2025-11-25' }

type Listed = {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly outputSchema?: object
}

export async function listTools({ api }: Pick<Tenant, 'api'>): Promise<readonly Listed[]> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  return must(await api('POST', '/api/mcp', message, structuredVersion)).result.tools
}

/** Throws where the call is answered with a JSON-RPC error. */
export async function callTool(
  { api }: Pick<Tenant, 'api'>,
  name: string,
  args: object = {},
  headers: Record<string, string> = {},
): Promise<ToolResult> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const { result, error } = must(await api('POST', '/api/mcp', message, { ...structuredVersion, ...headers }))
  if (error !== undefined) throw new Error(`${error.code}: ${error.message}`)
  return { isError: result.isError === true, text: result.content[0].text, structured: result.structuredContent }
}
