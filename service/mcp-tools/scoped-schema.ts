// A tool's input without the enumerated values that a key's scopes refuse.
import type { TObject, TSchema } from 'typebox'
import type { SchemaNode } from '#contract/json-schema.ts'
import { collectionSegments, covers, type Scope } from '#contract/scopes.ts'
import type { Tool } from '#contract/tools/tool.ts'

type Scopes = readonly string[]

export function forScopes(tool: Tool, held: Scopes): TObject {
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
export function scopesOfValues({
  scope,
  valueScopes = {},
}: Tool): Readonly<Record<string, Readonly<Record<string, Scope>>>> {
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
