// The tools that a caller sees: those that its key can use, and of them what its headers have narrowed. The same caller
// gets the same list in the same order.
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { TObject } from 'typebox'
import { textInNaming, tools } from '#contract/tools/catalogue.ts'
import { inNaming, type Naming } from '#contract/tools/names.ts'
import type { Tool } from '#contract/tools/tool.ts'
import { covers } from '#contract/scopes.ts'
import type { Caller, Exchange } from './exchange.ts'
import { forScopes, scopesOfValues } from './scoped-schema.ts'

export const toolsFor = ({ caller }: Exchange): ListedTool[] =>
  tools.filter((tool) => mayUse(tool, caller) && isShown(tool, caller)).map((tool) => described(tool, caller))

/** Does the key hold a scope with which the tool can do something? Without one of its own, that is said by its values. */
export function mayUse(tool: Tool, { principal: { scopes } }: Caller): boolean {
  if (typeof tool.scope === 'string') return covers(scopes, tool.scope)
  const { properties } = forScopes(tool, scopes)
  return Object.keys(scopesOfValues(tool)).every((name) => name in properties)
}

/** Is it among the tools that the headers `x-mcp-readonly` and `x-mcp-toolsets` leave? */
export const isShown = ({ hints, toolset }: Tool, { isReadonly, toolsets }: Caller): boolean =>
  (hints.readOnly || !isReadonly) && (toolsets === null || toolsets.has(toolset))

function described(tool: Tool, { principal, naming }: Caller): ListedTool {
  const { name, title, description, input, output, hints } = textsIn(naming, tool)
  return {
    name: inNaming(naming, name),
    title,
    description,
    inputSchema: asListed(forScopes({ ...tool, input }, principal.scopes)),
    ...(output !== undefined && { outputSchema: asListed(withWarnings(output)) }),
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: false,
    },
  }
}

/** What any result may say of arguments that were not as the input has them. */
const withWarnings = (output: TObject): object => ({
  ...output,
  properties: { ...output.properties, warnings: { type: 'array', items: { type: 'string' } } },
})

const withUnderscores = new Map<Tool, Tool>()

/** The tool with its texts, those of its arguments too, naming tools as they are listed. Made once. */
function textsIn(naming: Naming, tool: Tool): Tool {
  if (naming === 'dots') return tool
  const made = withUnderscores.get(tool) ?? rewritten(tool)
  withUnderscores.set(tool, made)
  return made
}

function rewritten(tool: Tool): Tool {
  const rewrite = (key: string, value: unknown): unknown =>
    key === 'description' && typeof value === 'string' ? textInNaming('underscores', value) : value
  // Its texts and schemas are JSON.
  return JSON.parse(JSON.stringify(tool), rewrite) as Tool
}

/** A schema of TypeBox is JSON, as the SDK's type demands; its own type only lacks the index signatures that say so. */
const asListed = (schema: object) => schema as ListedTool['inputSchema']
