// Which event types a caller may read: those of resources that its scopes let it read. Pure.
import { eventCatalogue } from '#contract/api.ts'
import { scopesOf } from '#contract/webhook-grants.ts'
import { covers, readScopeOf } from '#contract/scopes.ts'
import { assertHolds } from '../execution/authorize.ts'

const types = eventCatalogue.map(({ type }) => type)

export const readableTypes = (heldScopes: readonly string[]): string[] =>
  types.filter((type) => covers(heldScopes, readScopeOf(type)))

/** Throws `insufficient_scope` when the patterns match event types that the caller may not read. */
export const assertReadable = (patterns: readonly string[], heldScopes: readonly string[]): void =>
  assertHolds(scopesOf(patterns), heldScopes, 'To receive these events')
