// The list of MCP tools, in the order in which they are listed.
import { type Arguments, type Tool } from './tool.ts'
import { commentTools } from './comments.ts'
import { crmEntityTools } from './crm-entities.ts'
import { documentTools } from './documents.ts'
import { underscored, type Naming } from './names.ts'
import { objectTools } from './objects.ts'
import { projectTools } from './projects.ts'
import { searchTool, changesTool, whoamiTool } from './context.ts'
import { taskTools } from './tasks.ts'

export const tools: readonly Tool[] = [
  ...crmEntityTools,
  ...documentTools,
  ...projectTools,
  ...objectTools,
  ...commentTools,
  changesTool,
  searchTool,
  ...taskTools,
  whoamiTool,
].toSorted((a, b) => (a.name < b.name ? -1 : 1))

const byEitherName = new Map(
  tools.flatMap((tool) => [
    [tool.name as string, tool],
    [underscored(tool.name), tool],
  ]),
)

/** Takes the name with dots or with underscores, exactly. */
export const toolNamed = (name: string): Tool | undefined => byEitherName.get(name)

const namesInText = new RegExp(
  `(?<![\\w.-])(?:<type>\\.\\w+|${tools.map(({ name }) => name.replaceAll('.', '\\.')).join('|')})(?![\\w-])`,
  'g',
)

/** A text of a tool that names other tools, with the names that its reader is listed. */
export const textInNaming = (naming: Naming, text: string): string =>
  naming === 'dots' ? text : text.replaceAll(namesInText, underscored)

/**
 * The tool that a single JSON-RPC message calls, and its arguments; null for any other message and for unknown names.
 */
export function calledTool(message: unknown): { readonly tool: Tool; readonly args: Arguments } | null {
  const { method, params } = objectOf(message)
  const { name, arguments: args } = objectOf(params)
  const tool = method === 'tools/call' && typeof name === 'string' ? toolNamed(name) : undefined
  return tool === undefined ? null : { tool, args: objectOf(args) }
}

const objectOf = (value: unknown): Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Arguments) : {}
