// What the product serves over MCP.
import { ProtocolError } from '@modelcontextprotocol/server'
import { rpcCodes } from '#contract/json-rpc-errors.ts'
import { callTool } from '../mcp-tools/run-tool.ts'
import { toolsFor } from '../mcp-tools/tool-list.ts'
import { listResources, listResourceTemplates } from '../mcp-context/list-resources.ts'
import { readResource } from '../mcp-context/read-resource.ts'
import type { McpFeatures } from './features.ts'
import { instructions } from './instructions.ts'

export const productFeatures: McpFeatures = {
  instructions,
  listTools: toolsFor,
  callTool,
  listResources,
  listResourceTemplates,
  readResource,
  listPrompts: () => ({ prompts: [] }),
  getPrompt: async (name) => {
    throw new ProtocolError(rpcCodes.invalidParams, `Unknown prompt: ${name.slice(0, 100)}`)
  },
  complete: async () => ({ completion: { values: [] } }),
}
