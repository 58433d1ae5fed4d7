// What becomes of a webhook's grants when it is changed. Pure.
import { grantsBy, scopesOf } from '#contract/webhook-grants.ts'
import type { Actor } from '#contract/fields.ts'
import type { Grants, Webhook } from '#contract/webhook-schema.ts'

type Patch = { readonly eventTypes?: readonly string[]; readonly url?: string }

/**
 * Whoever chooses the events grants what they need; whoever chooses the address vouches for what was granted, and
 * brings back nothing that was revoked. Undefined where the patch grants nothing that is not granted already.
 */
export function grantsAfter(before: Webhook, { eventTypes, url }: Patch, actor: Actor, now: Date): Grants | undefined {
  const scopes: readonly string[] = eventTypes === undefined ? before.grants.scopes : scopesOf(eventTypes)
  const isMoved = url !== undefined && url !== before.url
  const isRechosen = eventTypes !== undefined && !isSame(eventTypes, before.eventTypes)
  if (!isMoved && !isRechosen && isSame(scopes, before.grants.scopes)) return undefined
  return grantsBy(actor, now, scopes)
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one))
