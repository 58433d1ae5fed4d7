// The tools that a caller sees: those that its key can use, and of them what its headers have narrowed. The same caller
// gets the same list in the same order.
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { TObject, TSchema } from 'typebox'
import type { SchemaNode } from '#contract/json-schema.ts'
import { covers, collectionSegments, type Scope } from '#contract/scopes.ts'
import { textInNaming, tools } from '#contract/tools/catalogue.ts'
import { inNaming, type Naming } from '#contract/tools/names.ts'
import type { Tool } from '#contract/tools/tool.ts'
import type { Caller, Exchange } from './runner.ts'

export const toolsFor = ({ caller }: Exchange): ListedTool[] =>
  tools.filter((tool) => mayUse(tool, caller) && isShown(tool, caller)).map((tool) => described(tool, caller))

/**
 * Does the key hold a scope with which the tool can do something? Without one of its own, that is said by its values.
 */
function mayUse(tool: Tool, { principal: { scopes } }: Caller): boolean {
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

/** Any result may tell of arguments that were not as the input has them. */
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

type Scopes = readonly string[]

/** Returns a tool's input without the enumerated values that a key's scopes refuse. */
function forScopes(tool: Tool, held: Scopes): TObject {
  const narrowed = Object.entries(scopesOfValues(tool)).map(([name, needed]) => {
    const schema = tool.input.properties[name]
    return [
      name,
      schema === undefined ? undefined : withValues(schema, (value) => isHeld(needed[value], held)),
    ] as const
  })
  const changes = Object.fromEntries(narrowed)
  const properties = Object.entries({ ...tool.input.properties, ...changes }).filter(([, each]) => each !== undefined)
  return { ...tool.input, properties: Object.fromEntries(properties) as TObject['properties'] }
}

/** Those that the tool declares, and of a tool that works by type those of its argument `type`. */
function scopesOfValues({ scope, valueScopes = {} }: Tool): Readonly<Record<string, Readonly<Record<string, Scope>>>> {
  if (scope === null || typeof scope === 'string') return valueScopes
  const byType = collectionSegments.map((segment) => [segment, `${segment}:${scope.byType}`] as const)
  return { type: Object.fromEntries(byType), ...valueScopes }
}

const isHeld = (needed: Scope | undefined, held: Scopes): boolean => needed === undefined || covers(held, needed)

/** Undefined where no value is left. */
function withValues(schema: SchemaNode, isKept: (value: string) => boolean): TSchema | undefined {
  if (schema.items !== undefined) {
    const items = withValues(schema.items, isKept)
    return items === undefined ? undefined : { ...schema, items }
  }
  const kept = (schema.enum ?? []).filter((value) => isKept(String(value)))
  return kept.length === 0 ? undefined : { ...schema, enum: kept }
}

export type Hidden = { readonly tools: readonly string[]; readonly reason: string }

/** Returns the tools that a caller does not see, by the reason for it. */
export function hiddenTools(caller: Caller): readonly Hidden[] {
  const reasons = new Map<string, string[]>()
  for (const tool of tools) {
    const reason = reasonFor(tool, caller)
    if (reason === null) continue
    const name = inNaming(caller.naming, tool.name)
    reasons.set(reason, [...(reasons.get(reason) ?? []), name])
  }
  return [...reasons].map(([reason, names]) => ({ tools: names, reason }))
}

function reasonFor(tool: Tool, caller: Caller): string | null {
  if (!mayUse(tool, caller)) return `the key lacks ${neededFor(tool)}`
  if (caller.isReadonly && !tool.hints.readOnly) return 'x-mcp-readonly is set'
  if (caller.toolsets !== null && !caller.toolsets.has(tool.toolset)) return `x-mcp-toolsets lacks ${tool.toolset}`
  return null
}

function neededFor(tool: Tool): string {
  if (typeof tool.scope === 'string') return `the scope ${tool.scope}`
  const all = Object.entries(scopesOfValues(tool)).flatMap(([name, needed]) =>
    valuesOf(tool.input.properties[name] ?? {}).flatMap((value) => needed[value] ?? []),
  )
  return `any of the scopes ${all.join(', ')}`
}

function valuesOf(schema: SchemaNode): readonly string[] {
  const { enum: values = [] }: SchemaNode = schema.items ?? schema
  return values.map(String)
}
