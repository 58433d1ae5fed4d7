// Makes components of the parameters and error responses that several operations have alike.
import type { Json } from './component-refs.ts'

/** A value in an Operation Object, and names for its component: the first name that is not taken is used. */
export type Candidate = { readonly names: readonly string[]; readonly value: Json }
export type SharedComponents = {
  readonly components: Json
  /** The value itself, or a reference if it is a component. */
  refTo(value: Json): Json
}

export function sharedComponents(
  where: 'parameters' | 'responses',
  candidates: readonly Candidate[],
): SharedComponents {
  const keys = new Map<string, string>()
  const taken = new Set<string>()
  for (const [text, { names }] of repeated(candidates)) {
    const key = names.find((name) => !taken.has(name))
    if (key === undefined) continue
    keys.set(text, key)
    taken.add(key)
  }
  const components = Object.fromEntries([...keys].map(([text, key]) => [key, JSON.parse(text) as Json]))
  return {
    components,
    refTo(value) {
      const key = keys.get(JSON.stringify(value))
      return key === undefined ? value : { $ref: `#/components/${where}/${key}` }
    },
  }
}

/** The values that occur more than once, the most frequent first: they choose their names first. */
function repeated(candidates: readonly Candidate[]): [string, Candidate][] {
  const equals = Map.groupBy(candidates, ({ value }) => JSON.stringify(value))
  const several = [...equals].filter(([, equal]) => equal.length > 1).toSorted(([, a], [, b]) => b.length - a.length)
  return several.flatMap(([text, [first]]) => (first === undefined ? [] : [[text, first] as [string, Candidate]]))
}
