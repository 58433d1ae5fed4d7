// What several operations have alike is a component.
import type { Json } from './schemas.ts'

/** A part of an operation's entry, and what to call it: the first of the names that nothing else has. */
export type Part = { readonly names: readonly string[]; readonly value: Json }
export type Shared = { readonly components: Json; refer(value: Json): Json }

export function sharedParts(where: 'parameters' | 'responses', parts: readonly Part[]): Shared {
  const keys = new Map<string, string>()
  const taken = new Set<string>()
  for (const [text, { names }] of repeated(parts)) {
    const key = names.find((name) => !taken.has(name))
    if (key === undefined) continue
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
