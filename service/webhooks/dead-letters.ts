// Background work that reports dead letters. A dispatcher that gives up a delivery leaves a note. An event reports the
// notes of a webhook: the first at once, then at most one a minute. Dead letters of these events are not reported, and
// no event goes to the webhook that it is about, so that a failing receiver cannot feed itself or another.
import { deliveriesDeadLettered } from '#contract/deliveries.ts'
import { type ChangeDeps, attemptEach, changeAsSystem } from '../execution/change.ts'
import type { Call } from '../execution/call.ts'
import { notedWebhooks, lockWebhookName, isDueToTell, takeNotes } from './background-rows.ts'

/** Returns how many events were emitted. */
export async function tellDeadLetters(deps: ChangeDeps): Promise<number> {
  let told = 0
  await attemptEach(await notedWebhooks(deps.db), async ({ workspaceId, webhookId }) => {
    told += Number(await changeAsSystem(deps, workspaceId, null, (call) => tell(call, webhookId)))
  })
  return told
}

async function tell(call: Call<typeof deliveriesDeadLettered>, webhookId: string): Promise<void> {
  const { db, workspaceId, now, emit } = call
  const webhook = await lockWebhookName(db, workspaceId, webhookId)
  if (webhook !== undefined && !(await isDueToTell(db, workspaceId, webhookId, now))) return
  const told = await takeNotes(db, workspaceId, webhookId)
  // Another service has reported them since the query, or the webhook is deleted.
  if (told === null || webhook === undefined || webhook.deletedAt !== null) return
  const { count, first, last, errorCodes, deliveryIds } = told
  const data = {
    id: webhookId,
    object: 'dead_letters' as const,
    workspaceId,
    webhookId,
    webhookName: webhook.name,
    count,
    firstAt: first.toISOString(),
    lastAt: last.toISOString(),
    errorCodes: [...errorCodes],
    deliveryIds: [...deliveryIds],
  }
  emit(deliveriesDeadLettered, data, undefined, { id: webhookId, kind: null, projectId: null, related: {} })
}
