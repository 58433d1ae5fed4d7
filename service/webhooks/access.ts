// Who may do anything with a webhook: whoever could read all that it carries. Otherwise a key that may only write
// webhooks would read everything by way of somebody else's: by another address, a new secret, or a replay. Pure.
import { eventCatalogue } from '#contract/api.ts'
import { scopesOf } from '#contract/webhook-grants.ts'
import type { Principal } from '#contract/principal.ts'
import { covers, type Scope } from '#contract/scope.ts'
import { assertHolds } from '../execution/authorize.ts'

type Carrying = { readonly eventTypes: readonly string[] }
type Holder = Pick<Principal, 'scopes'>

export const assertMayCarry = ({ eventTypes }: Carrying, { scopes }: Holder): void =>
  assertHolds(scopesOf(eventTypes), scopes, 'For what this webhook carries')

export const mayCarry = ({ eventTypes }: Carrying, heldScopes: readonly string[]): boolean =>
  scopesOf(eventTypes).every((scope) => covers(heldScopes, scope))

const types = eventCatalogue.map(({ type }) => type)
const segments = [...new Set(types.map((type) => type.split('.')[0]))]
const patterns = ['*', ...segments.map((segment) => `${segment}.*`), ...types]

/** Every pattern that takes something which these scopes may not read, for conditions in a query. */
export const patternsBeyond = (heldScopes: readonly string[]): string[] =>
  patterns.filter((pattern) => !mayCarry({ eventTypes: [pattern] }, heldScopes))

/** The read scopes among these that events ask for: all that a caller may carry. */
export const carriedScopes = (heldScopes: readonly string[]): Scope[] =>
  scopesOf(['*']).filter((scope) => covers(heldScopes, scope))
