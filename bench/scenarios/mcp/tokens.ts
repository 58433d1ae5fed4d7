// What the list of tools costs a model before it has asked for anything.
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { mcpPath } from '#contract/route-paths.ts'

/** Of the definitions as they are listed, for a key that may do everything and for one that sees only reading tools. */
export async function listedTokens(gateway: string, token: string): Promise<Record<string, string>> {
  const [all, reading] = [await tools(gateway, token, {}), await tools(gateway, token, { 'x-mcp-readonly': 'true' })]
  const told = (list: readonly object[]) => `${encode(JSON.stringify(list)).length} for ${list.length} tools`
  return { 'tokens of tools/list, all scopes': told(all), 'tokens of tools/list, reading alone': told(reading) }
}

async function tools(gateway: string, token: string, narrowed: Record<string, string>): Promise<readonly object[]> {
  const response = await fetch(gateway + mcpPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...narrowed },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const { result } = (await response.json()) as { result: { tools: object[] } }
  return result.tools
}
