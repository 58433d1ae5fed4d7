// What the product serves over MCP.
import { callTool } from '../mcp-tools/run-tool.ts'
import { toolsFor } from '../mcp-tools/tool-list.ts'
import { complete } from '../mcp-context/complete.ts'
import { listResources, listResourceTemplates } from '../mcp-context/list-resources.ts'
import { getPrompt, listPrompts } from '../mcp-context/prompts.ts'
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
  listPrompts,
  getPrompt,
  complete,
}
