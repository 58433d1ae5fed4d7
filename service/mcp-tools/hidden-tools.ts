// The tools that a caller does not see, by the reason for it.
import type { SchemaNode } from '#contract/json-schema.ts'
import { tools } from '#contract/tools/catalogue.ts'
import { inNaming } from '#contract/tools/names.ts'
import type { Tool } from '#contract/tools/tool.ts'
import type { Caller } from './exchange.ts'
import { scopesOfValues } from './scoped-schema.ts'
import { mayUse } from './tool-list.ts'

export type Hidden = { readonly tools: readonly string[]; readonly reason: string }

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
