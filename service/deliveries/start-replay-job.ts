import type { ReplayFilter, replayDeliveries } from '#contract/replay-jobs.ts'
import { Fault } from '#contract/faults/fault.ts'
import { typesOf } from '#contract/webhook-grants.ts'
import { newId } from '#runtime/new-id.ts'
import { missingReference } from '../faults/database-fault.ts'
import { assertReadable } from '../events/readable-types.ts'
import type { Call, Handler } from '../execution/handler.ts'
import { assertAccess, eventReadScopes } from '../webhooks/access.ts'
import { assertSpan } from '../lists/time-range.ts'
import { assertIdsReplayable } from './replay-ids.ts'
import { countMatching, toJob, webhooksIn } from './replay-job-rows.ts'
import { assertActive } from '../webhooks/can-receive.ts'
import { replayableAmong, tallied, type Replayable } from './replayable.ts'
import { refuseField } from '../faults/field-refusals.ts'

/** Without `createdBefore` the span ends now, so that what is replayed and fails again is not replayed a second time. */
export const replayMany: Handler<typeof replayDeliveries> = async (input, call) => {
  const { filter: asked, perMinute = null, dryRun = false } = input
  const { db, workspaceId, principal, actor, now } = call
  const filter = withDefaults(asked, now)
  if (filter.eventTypes !== undefined) assertReadable(filter.eventTypes, principal.scopes)
  if (filter.webhookId !== undefined) await assertWebhook(call, filter.webhookId)
  const scopes = eventReadScopes(principal.scopes)
  const webhooks = await webhooksIn(db, workspaceId)
  await assertAnyReplayable(filter, replayableAmong(webhooks, scopes), call)
  if (filter.ids !== undefined) await assertIdsReplayable(call, filter.ids, filter)
  const { total, leftOut } = tallied(await countMatching(db, workspaceId, filter), webhooks, scopes)
  if (dryRun) return { object: 'replay_estimate', workspaceId, filter, perMinute, total, leftOut }
  const row = {
    ...{ workspaceId, id: newId(now), filter, scopes, status: 'running', perMinute, total, leftOut, replayed: 0 },
    ...{ createdBy: actor, createdAt: now, updatedAt: now },
  }
  const { count } = await db.replayJob.createMany({ data: row, skipDuplicates: true })
  if (count === 0) throw new Fault('limit_reached', 'Another replay job is still running.', { limit: 1 })
  return toJob({ ...row, position: null, resumeAt: null, endedAt: null, cancelReason: null })
}

/** A filter by ids matches them whether they were delivered or dead-lettered, any other the dead-lettered only. */
function withDefaults(asked: ReplayFilter, now: Date): ReplayFilter & { readonly createdBefore: string } {
  const { ids, createdAfter, createdBefore = now.toISOString() } = asked
  assertSpan('filter/created', createdAfter, createdBefore, refuseField)
  const status = asked.status ?? (ids === undefined ? ['dead_letter'] : ['delivered', 'dead_letter'])
  return { ...asked, createdBefore, status }
}

/**
 * Throws when there are deliveries of the event types that were asked for and no webhook can be sent any of them: a total
 * of 0 would look as if none had failed.
 */
async function assertAnyReplayable(filter: ReplayFilter, { webhookIds, types }: Replayable, { db, workspaceId }: Call) {
  if (filter.eventTypes === undefined) return
  const { webhookId, status = [] } = filter
  const eventTypes = typesOf(filter.eventTypes)
  if (types.some((type, at) => eventTypes.includes(type) && (webhookId ?? webhookIds[at]) === webhookIds[at])) return
  const where = { workspaceId, eventType: { in: eventTypes }, status: { in: status }, ...(webhookId && { webhookId }) }
  if ((await db.delivery.findFirst({ where, select: { id: true } })) === null) return
  refuseField('filter/eventTypes', 'not_in_list', 'No active webhook that the key may use is granted these.')
}

type Caller = Pick<Call, 'db' | 'workspaceId' | 'principal'>

async function assertWebhook({ db, workspaceId, principal }: Caller, id: string): Promise<void> {
  const webhook = await db.webhook.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (webhook === null) throw missingReference('filter/webhookId')
  assertAccess(webhook, principal)
  assertActive(webhook)
}
