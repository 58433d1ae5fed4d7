// Who may read a webhook, change it or replay its deliveries: a key that may read every event that it receives. Otherwise
// a key with `webhooks:write` alone could read all events through somebody else's webhook, by giving it another URL, asking
// for a new secret, or replaying deliveries. Pure.
import { eventCatalogue } from '#contract/api.ts'
import { scopesOf } from '#contract/webhook-grants.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { covers, type Scope } from '#contract/scopes.ts'
import { assertHolds } from '../execution/authorize.ts'

type Subscribed = { readonly eventTypes: readonly string[] }

/** Throws `insufficient_scope` when the caller may not read all of the webhook's events. */
export const assertAccess = ({ eventTypes }: Subscribed, { scopes }: Pick<Principal, 'scopes'>): void =>
  assertHolds(scopesOf(eventTypes), scopes, 'For what this webhook carries')

export const hasAccess = ({ eventTypes }: Subscribed, heldScopes: readonly string[]): boolean =>
  scopesOf(eventTypes).every((scope) => covers(heldScopes, scope))

const types = eventCatalogue.map(({ type }) => type)
const segments = [...new Set(types.map((type) => type.split('.')[0]))]
const patterns = ['*', ...segments.map((segment) => `${segment}.*`), ...types]

/** Every event pattern that matches an event which these scopes may not read, for the condition of a query. */
export const unreadablePatterns = (heldScopes: readonly string[]): string[] =>
  patterns.filter((pattern) => !hasAccess({ eventTypes: [pattern] }, heldScopes))

/** The read scopes that some event needs and these scopes cover. */
export const eventReadScopes = (heldScopes: readonly string[]): Scope[] =>
  scopesOf(['*']).filter((scope) => covers(heldScopes, scope))
