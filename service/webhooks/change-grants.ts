// The grants of a webhook after an update. Pure.
import { grantsBy, scopesOf } from '#contract/webhook-grants.ts'
import type { Actor } from '#contract/shared-fields.ts'
import type { Grants, Webhook } from '#contract/webhook-schema.ts'

type Patch = { readonly eventTypes?: readonly string[]; readonly url?: string }

/**
 * Whoever changes the event types grants the scopes that they need. Whoever changes the URL becomes the granter of the
 * scopes that are granted already: a scope that was revoked stays revoked. Returns undefined when grants do not change.
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
