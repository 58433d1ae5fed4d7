// The deliveries that a replay names by id. Each must be one that can be replayed and that the rest of the filter matches:
// one that was passed over in silence would look as if it had been replayed.
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import { grantedScopes, isGranted, typesOf } from '#contract/webhook-grants.ts'
import type { ReplayFilter } from '#contract/replay-jobs.ts'
import { readScopeOf } from '#contract/scopes.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Call } from '../execution/handler.ts'
import { assertAccess } from '../webhooks/access.ts'

const errorsMax = 20

type Webhook = {
  readonly eventTypes: readonly string[]
  readonly grants: unknown
  readonly status: string
  readonly deletedAt: Date | null
}
type Named = {
  readonly id: string
  readonly eventType: string
  readonly status: string
  readonly webhookId: string
  readonly createdAt: Date
  readonly webhook: Webhook
}

export async function assertIdsReplayable(
  { db, workspaceId, principal }: Pick<Call, 'db' | 'workspaceId' | 'principal'>,
  ids: readonly string[],
  filter: ReplayFilter,
): Promise<void> {
  const found = await db.delivery.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    include: { webhook: { select: { eventTypes: true, grants: true, status: true, deletedAt: true } } },
  })
  const missing = ids.flatMap((id, at) => (found.some((each) => each.id === id) ? [] : [errorAt(at, doesNotExist)]))
  if (missing.length > 0) throw refusal('reference_not_found', missing)
  assertHolds(
    [...new Set(found.map(({ eventType }) => readScopeOf(eventType)))],
    principal.scopes,
    'For these deliveries',
  )
  for (const { webhook } of found) assertAccess(webhook, principal)
  const excluded = ids.flatMap((id, at) => {
    const named = found.find((each) => each.id === id)
    const reason = named === undefined ? null : whyExcluded(named, filter)
    return reason === null ? [] : [errorAt(at, { code: 'not_in_list', detail: reason })]
  })
  if (excluded.length > 0) throw refusal('validation_failed', excluded)
}

/** Returns null when the delivery can be replayed and the filter matches it. */
function whyExcluded({ webhook, webhookId, eventType, status, createdAt }: Named, filter: ReplayFilter): string | null {
  const { createdAfter, createdBefore, eventTypes } = filter
  const state = webhook.deletedAt === null ? webhook.status : 'deleted'
  if (status !== 'delivered' && status !== 'dead_letter') return `Is ${status}: there is nothing to send again.`
  if (filter.status?.includes(status) === false) return `Is ${status}, which \`status\` leaves out.`
  if (filter.webhookId !== undefined && filter.webhookId !== webhookId) return 'Is of another webhook than `webhookId`.'
  if (eventTypes !== undefined && !typesOf(eventTypes).includes(eventType))
    return `Is of ${eventType}, which \`eventTypes\` leaves out.`
  if (createdAfter !== undefined && createdAt <= new Date(createdAfter)) return 'Is older than `createdAfter`.'
  if (createdBefore !== undefined && createdAt >= new Date(createdBefore)) return 'Is younger than `createdBefore`.'
  if (state !== 'active') return `Its webhook is ${state}.`
  return isGranted(grantedScopes(webhook), eventType) ? null : `Its webhook is no longer granted ${eventType}.`
}

type Reason = Pick<FieldError, 'code' | 'detail'>

const doesNotExist: Reason = { code: 'not_found', detail: 'Does not exist in this workspace.' }

const errorAt = (at: number, reason: Reason): FieldError => ({ pointer: `/filter/ids/${at}`, ...reason })

function refusal(code: 'reference_not_found' | 'validation_failed', errors: readonly FieldError[]): Fault {
  const details = errors.slice(0, 3).map(({ pointer, detail }) => `${pointer}: ${detail}`)
  return new Fault(code, details.join(' '), { errors: errors.slice(0, errorsMax) })
}
