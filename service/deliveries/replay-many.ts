import { v7 as uuid } from 'uuid'
import type { ReplayFilter, replayDeliveries } from '#contract/replay-jobs.ts'
import { Fault } from '#contract/fault.ts'
import { typesOf } from '#contract/webhook-grants.ts'
import { missingReference } from '../faults/database-fault.ts'
import { assertReadable } from '../events/readable-types.ts'
import type { Call, Handler } from '../execution/handler.ts'
import { assertMayCarry, carriedScopes } from '../webhooks/access.ts'
import { assertSpan } from '../lists/time-range.ts'
import { assertNamed } from './replay-ids.ts'
import { countMatching, toJob } from './replay-job-rows.ts'
import { assertSendable } from '../webhooks/can-receive.ts'
import { findTakers, type Takers } from './replayable.ts'
import { refuseField } from '../faults/field-refusals.ts'

/** The end of the span is settled now: what is sent again and fails again is not taken a second time. */
export const replayMany: Handler<typeof replayDeliveries> = async ({ filter: asked, dryRun = false }, call) => {
  const { db, workspaceId, principal, actor, now } = call
  const filter = settled(asked, now)
  if (filter.eventTypes !== undefined) assertReadable(filter.eventTypes, principal.scopes)
  if (filter.webhookId !== undefined) await assertWebhook(call, filter.webhookId)
  const scopes = carriedScopes(principal.scopes)
  const takers = await findTakers(db, workspaceId, scopes)
  await assertTaken(filter, takers, call)
  if (filter.ids !== undefined) await assertNamed(call, filter.ids, filter)
  const total = await countMatching(db, workspaceId, filter, takers)
  if (dryRun) return { object: 'replay_estimate', workspaceId, filter, total }
  const row = {
    ...{ workspaceId, id: uuid({ msecs: now.getTime() }), filter, scopes, status: 'running', total, replayed: 0 },
    ...{ createdBy: actor, createdAt: now, updatedAt: now },
  }
  const { count } = await db.replayJob.createMany({ data: row, skipDuplicates: true })
  if (count === 0) throw new Fault('limit_reached', 'Another replay job is still running.', { limit: 1 })
  return toJob({ ...row, position: null, endedAt: null })
}

/** Whoever names deliveries means them, whether they were dead-lettered or not. */
function settled(asked: ReplayFilter, now: Date): ReplayFilter & { readonly createdBefore: string } {
  const { ids, createdAfter, createdBefore = now.toISOString() } = asked
  assertSpan('filter/created', createdAfter, createdBefore, refuseField)
  const status = asked.status ?? (ids === undefined ? ['dead_letter'] : ['delivered', 'dead_letter'])
  return { ...asked, createdBefore, status }
}

/** Where kinds are named of which there are deliveries, and no webhook can be sent any, 0 would read as nothing lost. */
async function assertTaken(filter: ReplayFilter, { webhookIds, types }: Takers, { db, workspaceId }: Call) {
  if (filter.eventTypes === undefined) return
  const { webhookId, status = [] } = filter
  const kinds = typesOf(filter.eventTypes)
  if (types.some((type, at) => kinds.includes(type) && (webhookId ?? webhookIds[at]) === webhookIds[at])) return
  const where = { workspaceId, eventType: { in: kinds }, status: { in: status }, ...(webhookId && { webhookId }) }
  if ((await db.delivery.findFirst({ where, select: { id: true } })) === null) return
  refuseField('filter/eventTypes', 'not_in_list', 'No active webhook that the key may use is granted these.')
}

type Caller = Pick<Call, 'db' | 'workspaceId' | 'principal'>

async function assertWebhook({ db, workspaceId, principal }: Caller, id: string): Promise<void> {
  const webhook = await db.webhook.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (webhook === null) throw missingReference('filter/webhookId')
  assertMayCarry(webhook, principal)
  assertSendable(webhook)
}
