// What the product serves over MCP.
import { ProtocolError } from '@modelcontextprotocol/server'
import { Fault } from '#contract/fault.ts'
import { rpcCodes } from '#contract/json-rpc-errors.ts'
import type { McpFeatures } from './features.ts'
import { callTool, toolsFor } from './tools.ts'

export const productFeatures: McpFeatures = {
  instructions: async () => '',
  listTools: ({ caller }) => toolsFor(caller.principal),
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
