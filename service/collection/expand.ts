// Adds related objects beside their ids, loaded for a whole page at once.
import type { Call } from '../execution/handler.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Collection } from './define.ts'
import type { Fields, Resource } from './resource.ts'

/** Loads what `names` ask for. Throws `insufficient_scope` when the key may not read it. */
export async function expander<R extends Resource>(
  { expansions }: Collection<R>,
  names: readonly string[],
  call: Call,
  objects: readonly R[],
): Promise<(object: R) => Fields> {
  const needed = new Set(names.flatMap((name) => expansions[name]?.scope ?? []))
  assertHolds([...needed], call.principal.scopes, 'To expand this')
  const added: [string, (object: Fields) => unknown][] = []
  for (const name of names) {
    const expansion = expansions[name]
    if (expansion !== undefined) added.push([name, await expansion.load(call, objects)])
  }
  return (object) => {
    if (added.length === 0) return object
    const expanded = added.map(([name, of]) => [name, of(object)]).filter(([, value]) => value !== undefined)
    return { ...object, ...Object.fromEntries(expanded) }
  }
}
