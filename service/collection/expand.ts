// Related objects beside their ids, loaded for a whole page at once. Whoever may not read them is refused.
import { Fault } from '#contract/fault.ts'
import { covers } from '#contract/scope.ts'
import type { Call } from '../execution/handler.ts'
import type { Collection, Fields, Resource } from './definition.ts'

export async function expander<R extends Resource>(
  { expansions }: Collection<R>,
  names: readonly string[],
  call: Call,
  objects: readonly R[],
): Promise<(object: R) => Fields> {
  assertReadable(expansions, names, call)
  const added: [string, (object: Fields) => unknown][] = []
  for (const name of names) {
    const expansion = expansions[name]
    if (expansion !== undefined) added.push([name, await expansion.load(call, objects)])
  }
  return (object) => {
    const fields = object as unknown as Fields
    if (added.length === 0) return fields
    const expanded = added.map(([name, of]) => [name, of(fields)]).filter(([, value]) => value !== undefined)
    return { ...fields, ...Object.fromEntries(expanded) }
  }
}

function assertReadable(expansions: Collection['expansions'], names: readonly string[], { principal }: Call): void {
  const needed = names.flatMap((name) => expansions[name]?.scope ?? [])
  const requiredScopes = [...new Set(needed)].filter((scope) => !covers(principal.scopes, scope))
  if (requiredScopes.length === 0) return
  throw new Fault('insufficient_scope', `To expand this a key needs ${requiredScopes.join(', ')}.`, { requiredScopes })
}
