// What the product serves over MCP.
import { ProtocolError } from '@modelcontextprotocol/server'
import { Fault } from '#contract/fault.ts'
import { rpcCodes } from '#contract/json-rpc-errors.ts'
import { callTool } from '../mcp-tools/run-tool.ts'
import { toolsFor } from '../mcp-tools/tool-list.ts'
import type { McpFeatures } from './features.ts'
import { instructions } from './instructions.ts'

export const productFeatures: McpFeatures = {
  instructions,
  listTools: toolsFor,
  callTool,
  listResources: async () => ({ resources: [] }),
  listResourceTemplates: () => ({ resourceTemplates: [] }),
  readResource: async () => {
    throw new Fault('not_found', 'There is no such resource.')
  },
  listPrompts: () => ({ prompts: [] }),
  getPrompt: async (name) => {
    throw new ProtocolError(rpcCodes.invalidParams, `Unknown prompt: ${name.slice(0, 100)}`)
  },
  complete: async () => ({ completion: { values: [] } }),
}
