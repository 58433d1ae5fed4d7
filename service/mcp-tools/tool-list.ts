// The tools that a caller sees: those that its key can use, and of them what its headers have narrowed. The same caller
// gets the same list in the same order.
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { tools } from '#contract/tools/catalogue.ts'
import { underscored } from '#contract/tools/names.ts'
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
  const { name, title, description, output, hints } = tool
  return {
    name: naming === 'underscores' ? underscored(name) : name,
    title,
    description,
    inputSchema: asListed(forScopes(tool, principal.scopes)),
    ...(output !== undefined && { outputSchema: asListed(output) }),
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: false,
    },
  }
}

/** A schema of TypeBox is JSON, as the SDK's type demands; its own type only lacks the index signatures that say so. */
const asListed = (schema: object) => schema as ListedTool['inputSchema']
