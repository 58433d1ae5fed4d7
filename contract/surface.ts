// The ways in which a key may be used: the HTTP API, MCP or both; and how tools are named over MCP.
import { Type, type Static } from 'typebox'

export const Surface = Type.Enum(['http', 'mcp'])
export type Surface = Static<typeof Surface>

/** What a key, an address or a header of MCP may choose. */
export const toolNamesChoices = ['auto', 'dots', 'underscores'] as const
export const ToolNames = Type.Enum([...toolNamesChoices], {
  description: 'How tools are named over MCP: `tasks.list`, `tasks_list`, or as the client needs.',
})
export type ToolNames = Static<typeof ToolNames>
