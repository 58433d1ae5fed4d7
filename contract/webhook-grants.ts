// Which events a webhook gets. Its patterns select types of events; its grants, the read scopes of the key that chose
// the patterns, say which of them it may get. The service and the dispatcher decide by the same functions.
import { eventCatalogue } from './api.ts'
import { patternMatches } from './event.ts'
import type { Actor } from './shared-fields.ts'
import { readScopeOf, type Scope } from './scopes.ts'
import type { Grants } from './webhook-schema.ts'
import { webhookTest } from './webhooks.ts'

const types = eventCatalogue.map(({ type }) => type)

export const typesOf = (patterns: readonly string[]): string[] =>
  types.filter((type) => patterns.some((pattern) => patternMatches(pattern, type)))

/** The scopes that reading all events of these patterns needs. */
export const scopesOf = (patterns: readonly string[]): Scope[] => [...new Set(typesOf(patterns).map(readScopeOf))]

export const grantsBy = (grantedBy: Actor, at: Date, scopes: readonly string[]): Grants => ({
  scopes: [...scopes],
  grantedBy,
  grantedAt: at.toISOString(),
})

type Stored = { readonly eventTypes: readonly string[]; readonly grants: unknown }

/** A webhook from a release without grants has all scopes that its events need. */
export const grantedScopes = ({ eventTypes, grants }: Stored): readonly string[] =>
  (grants as Grants | null)?.scopes ?? scopesOf(eventTypes)

/** Test events need no grant: their data is the webhook itself. */
export const isGranted = (granted: readonly string[], eventType: string): boolean =>
  eventType === webhookTest.type || granted.includes(readScopeOf(eventType))
