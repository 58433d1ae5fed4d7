import { v7 as uuid } from 'uuid'
import type { replayDeliveries } from '#contract/replay-jobs.ts'
import { Fault } from '#contract/fault.ts'
import { missingReference } from '../database-fault.ts'
import { assertReadable } from '../events/rules.ts'
import type { Call, Handler } from '../handler.ts'
import { assertMayCarry, carriedScopes } from '../webhooks/carry.ts'
import { countMatching, toJob } from './replay-rows.ts'
import { assertSendable } from './sendable.ts'
import { findTakers } from './takers.ts'

/** The end of the span is settled now: what is sent again and fails again is not taken a second time. */
export const replayMany: Handler<typeof replayDeliveries> = async ({ filter: asked, dryRun = false }, call) => {
  const { db, workspaceId, principal, actor, now } = call
  const filter = { ...asked, createdBefore: asked.createdBefore ?? now.toISOString() }
  if (filter.eventTypes !== undefined) assertReadable(filter.eventTypes, principal.scopes)
  if (filter.webhookId !== undefined) await assertWebhook(call, filter.webhookId)
  const scopes = carriedScopes(principal.scopes)
  const total = await countMatching(db, workspaceId, filter, await findTakers(db, workspaceId, scopes))
  if (dryRun) return { object: 'replay_estimate', workspaceId, filter, total }
  const row = {
    ...{ workspaceId, id: uuid({ msecs: now.getTime() }), filter, scopes, status: 'running', total, replayed: 0 },
    ...{ createdBy: actor, createdAt: now, updatedAt: now },
  }
  const { count } = await db.replayJob.createMany({ data: row, skipDuplicates: true })
  if (count === 0) throw new Fault('limit_reached', 'Another replay job is still running.', { limit: 1 })
  return toJob({ ...row, position: null, endedAt: null })
}

type Caller = Pick<Call, 'db' | 'workspaceId' | 'principal'>

async function assertWebhook({ db, workspaceId, principal }: Caller, id: string): Promise<void> {
  const webhook = await db.webhook.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (webhook === null) throw missingReference('filter/webhookId')
  assertMayCarry(webhook, principal)
  assertSendable(webhook)
}
