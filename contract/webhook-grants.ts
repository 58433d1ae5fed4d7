// What a webhook may carry. Patterns say which kinds of events it wants; its grants, the read scopes of whoever chose
// them, say which of these it is given. Pure: the service and the dispatcher judge alike.
import { eventCatalogue } from './api.ts'
import { patternMatches } from './event-patterns.ts'
import type { Actor } from './fields.ts'
import { readScopeOf, type Scope } from './scope.ts'
import type { Grants } from './webhook-schema.ts'
import { webhookTest } from './webhook-actions.ts'

const types = eventCatalogue.map(({ type }) => type)

export const typesOf = (patterns: readonly string[]): string[] =>
  types.filter((type) => patterns.some((pattern) => patternMatches(pattern, type)))

/** What reading all that the patterns take needs. */
export const scopesOf = (patterns: readonly string[]): Scope[] => [...new Set(typesOf(patterns).map(readScopeOf))]

export const grantsBy = (grantedBy: Actor, at: Date, scopes: readonly string[]): Grants => ({
  scopes: [...scopes],
  grantedBy,
  grantedAt: at.toISOString(),
})

type Stored = { readonly eventTypes: readonly string[]; readonly grants: unknown }

/** A webhook that was made by a release without grants has those that its events need. */
export const grantedScopes = ({ eventTypes, grants }: Stored): readonly string[] =>
  (grants as Grants | null)?.scopes ?? scopesOf(eventTypes)

/** A test event tells a webhook of itself. */
export const isGranted = (granted: readonly string[], eventType: string): boolean =>
  eventType === webhookTest.type || granted.includes(readScopeOf(eventType))
