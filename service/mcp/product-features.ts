// The product's features over MCP.
import { complete } from './context/complete.ts'
import { getPrompt, listPrompts } from './context/prompts.ts'
import { listResources, listResourceTemplates, readResource } from './context/resources.ts'
import type { McpFeatures } from './features.ts'
import { instructions } from './instructions.ts'
import { callTool } from './tools/run-tool.ts'
import { toolsFor } from './tools/tool-list.ts'

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
