// What several operations have alike is a component. It goes by its own name; where others of this name differ, by the
// segment, or by the operation, that has it first.
import type { Json } from './openapi-schemas.ts'
import { tagOf } from './openapi-tags.ts'

/** A part of an operation's entry, and what it is called by itself. */
export type Part = { readonly operation: string; readonly name: string; readonly value: Json }
export type Shared = { readonly components: Json; refer(value: Json): Json }

export function sharedParts(where: 'parameters' | 'responses', parts: readonly Part[]): Shared {
  const keys = new Map<string, string>()
  const taken = new Set<string>()
  for (const [text, { name, operation }] of repeated(parts)) {
    const key = [name, `${tagOf(operation)}.${name}`, `${operation}.${name}`].find((free) => !taken.has(free)) ?? text
    keys.set(text, key)
    taken.add(key)
  }
  const components = Object.fromEntries([...keys].map(([text, key]) => [key, JSON.parse(text) as Json]))
  return {
    components,
    refer(value) {
      const key = keys.get(JSON.stringify(value))
      return key === undefined ? value : { $ref: `#/components/${where}/${key}` }
    },
  }
}

/** Those that there are more than one of, each as it is first met; the most frequent ones choose their names first. */
function repeated(parts: readonly Part[]): [string, Part][] {
  const met = Map.groupBy(parts, ({ value }) => JSON.stringify(value))
  const several = [...met].filter(([, equal]) => equal.length > 1).toSorted(([, a], [, b]) => b.length - a.length)
  return several.flatMap(([text, [first]]) => (first === undefined ? [] : [[text, first] as [string, Part]]))
}
