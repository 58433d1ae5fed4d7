// Access to a webhook, its state, its health, and its grants. Only a key that may read every event of a webhook may
// read or change it, or replay its deliveries. Otherwise `webhooks:write` alone would give access to all events through
// another party's webhook, by a new URL, a new secret, or a replay. Pure.
import { eventCatalogue } from '#contract/api.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { covers, readScopeOf, type Scope } from '#contract/scopes.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { scopesOf, grantedScopes, isGranted, grantsBy } from '#contract/webhook-grants.ts'
import type { Circuit, Grants, Health, Stats, Webhook } from '#contract/webhook-schema.ts'
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

type State = { readonly status: string; readonly deletedAt: Date | string | null }
type Granted = { readonly eventTypes: readonly string[]; readonly grants: unknown }

/** Throws `invalid_transition` when the webhook is paused, disabled or deleted. */
export function assertActive({ status, deletedAt }: State): void {
  const from = deletedAt === null ? status : 'deleted'
  if (from === 'active') return
  const remedy = from === 'deleted' ? '' : ' Enable it first.'
  throw new Fault('invalid_transition', `The webhook is ${from}.${remedy}`, {
    from,
    allowed: from === 'deleted' ? [] : ['active'],
  })
}

/**
 * Throws `invalid_transition` when the webhook is not granted this event type: its `eventTypes` have changed, or the
 * grant was revoked, since the delivery was made.
 */
export function assertGranted(webhook: Granted, eventType: string): void {
  if (isGranted(grantedScopes(webhook), eventType)) return
  const detail = `The webhook is no longer granted ${readScopeOf(eventType)}.`
  throw new Fault('invalid_transition', detail, { hint: 'Give the webhook `eventTypes` that need it.', allowed: [] })
}

type Patch = { readonly eventTypes?: readonly string[]; readonly url?: string }

/**
 * The grants of a webhook after an update. A change of the event types grants the scopes that they need. A change of
 * the URL makes the caller the granter of the present scopes; revoked ones stay revoked. Returns undefined when grants
 * do not change.
 */
export function grantsAfter(before: Webhook, { eventTypes, url }: Patch, actor: Actor, now: Date): Grants | undefined {
  const scopes: readonly string[] = eventTypes === undefined ? before.grants.scopes : scopesOf(eventTypes)
  const isMoved = url !== undefined && url !== before.url
  const hasOtherEvents = eventTypes !== undefined && !isSame(eventTypes, before.eventTypes)
  if (!isMoved && !hasOtherEvents && isSame(scopes, before.grants.scopes)) return undefined
  return grantsBy(actor, now, scopes)
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one))

/** The row of `webhook_health`; there is none before the first failure. */
export type StoredHealth = {
  readonly consecutiveFailures: number
  readonly failingSince: Date | null
  readonly lastStatusCode: number | null
  readonly lastErrorCode: string | null
  readonly circuitOpenUntil: Date | null
  readonly circuitSeconds: number | null
}

/** The circuit is half open when its time has ended: only an answer to the probe closes it. */
export function circuitOf(health: StoredHealth | null, now: Date): Circuit {
  const { circuitOpenUntil = null, circuitSeconds = null } = health ?? {}
  if (circuitOpenUntil === null || circuitSeconds === null) return { state: 'closed', openUntil: null }
  return { state: circuitOpenUntil > now ? 'open' : 'half_open', openUntil: circuitOpenUntil.toISOString() }
}

/** `nextDueAt`: when its next delivery comes due; null when nothing of it is sent. */
export function healthOf(stored: StoredHealth | null, stats: Stats, nextDueAt: Date | null): Health {
  const openUntil = stored?.circuitOpenUntil ?? null
  const isFailing = stored !== null && (stored.consecutiveFailures > 0 || openUntil !== null)
  return {
    state: isFailing ? 'failing' : 'healthy',
    failingSince: isFailing ? (stored.failingSince?.toISOString() ?? null) : null,
    lastStatusCode: isFailing ? stored.lastStatusCode : null,
    lastErrorCode: isFailing ? stored.lastErrorCode : null,
    nextAttemptAt: letThrough(nextDueAt, openUntil)?.toISOString() ?? null,
    failedShare: failedShare(stats, isFailing),
  }
}

/** When what comes due at this time is sent: an open circuit lets nothing through before its time has ended. */
export const letThrough = (dueAt: Date | null, openUntil: Date | null): Date | null =>
  dueAt !== null && openUntil !== null && openUntil > dueAt ? openUntil : dueAt

/** What waits for a failing receiver has not failed by itself, but nobody has got it. */
function failedShare({ delivered, failed, pending, retrying }: Stats, isFailing: boolean): number | null {
  const missing = failed + (isFailing ? pending : retrying)
  return delivered + missing === 0 ? null : missing / (delivered + missing)
}
