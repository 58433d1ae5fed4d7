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
  const { name, title, description, input, output, hints } = listedForm(tool, naming)
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

const listedForms: Readonly<Record<Naming, Map<Tool, Tool>>> = { dots: new Map(), underscores: new Map() }

/**
 * The tool as it is listed: its texts, those of its arguments too, name other tools as they are listed; and lengths of
 * texts, which strict converters of schemas refuse, are left to the refusal that names them. Made once.
 */
function listedForm(tool: Tool, naming: Naming): Tool {
  const made = listedForms[naming].get(tool) ?? rewritten(tool, naming)
  listedForms[naming].set(tool, made)
  return made
}

function rewritten(tool: Tool, naming: Naming): Tool {
  const rewrite = (key: string, value: unknown): unknown => {
    if ((key === 'minLength' || key === 'maxLength') && typeof value === 'number') return undefined
    return key === 'description' && typeof value === 'string' ? textInNaming(naming, value) : value
  }
  // Its texts and schemas are JSON.
  return JSON.parse(JSON.stringify(tool), rewrite) as Tool
}

/** A schema of TypeBox is JSON, as the SDK's type demands; its own type only lacks the index signatures that say so. */
const asListed = (schema: object) => schema as ListedTool['inputSchema']
