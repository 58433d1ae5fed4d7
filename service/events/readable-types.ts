// Which events a caller may see: those of resources that it may read. Pure.
import { eventCatalogue } from '#contract/api.ts'
import { scopesOf } from '#contract/webhook-grants.ts'
import { covers, readScopeOf } from '#contract/scope.ts'
import { assertHolds } from '../execution/authorize.ts'

const types = eventCatalogue.map(({ type }) => type)

export const readableTypes = (heldScopes: readonly string[]): string[] =>
  types.filter((type) => covers(heldScopes, readScopeOf(type)))

/** Nobody is shown by a pattern, at once or from now on, what he could not read. */
export const assertReadable = (patterns: readonly string[], heldScopes: readonly string[]): void =>
  assertHolds(scopesOf(patterns), heldScopes, 'To receive these events')
