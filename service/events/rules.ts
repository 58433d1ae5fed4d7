// Which events a caller may see: those of resources that it may read. Pure.
import { eventCatalogue, patternTakes } from '#contract/api.ts'
import { Fault } from '#contract/fault.ts'
import { covers, readScopeOf } from '#contract/scope.ts'

const types = eventCatalogue.map(({ type }) => type)

export const readableTypes = (heldScopes: readonly string[]): string[] =>
  types.filter((type) => covers(heldScopes, readScopeOf(type)))

export const typesOf = (patterns: readonly string[]): string[] =>
  types.filter((type) => patterns.some((pattern) => patternTakes(pattern, type)))

/** Nobody is shown by a pattern, at once or from now on, what he could not read. */
export function assertReadable(patterns: readonly string[], heldScopes: readonly string[]): void {
  const requiredScopes = [...new Set(typesOf(patterns).map(readScopeOf))].filter((scope) => !covers(heldScopes, scope))
  if (requiredScopes.length === 0) return
  throw new Fault('insufficient_scope', `To receive these events a key needs ${requiredScopes.join(', ')}.`, {
    requiredScopes,
  })
}
