// The ways in which a key may be used: the HTTP API, MCP or both.
import { Type, type Static } from 'typebox'

export const Surface = Type.Enum(['http', 'mcp'])
export type Surface = Static<typeof Surface>
