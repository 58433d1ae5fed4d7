// What a caller may subscribe to. Pure.
import { eventCatalogue, patternTakes } from '#contract/api.ts'
import { Fault } from '#contract/fault.ts'
import { covers, readScopeOf } from '#contract/scope.ts'

/** A subscription must not show its maker what the maker could not read. */
export function assertReadable(patterns: readonly string[], heldScopes: readonly string[]): void {
  const types = eventCatalogue
    .map(({ type }) => type)
    .filter((type) => patterns.some((pattern) => patternTakes(pattern, type)))
  const requiredScopes = [...new Set(types.map(readScopeOf))].filter((scope) => !covers(heldScopes, scope))
  if (requiredScopes.length === 0) return
  throw new Fault('insufficient_scope', `To receive these events a key needs ${requiredScopes.join(', ')}.`, {
    requiredScopes,
  })
}
