// Deliveries of webhooks: listed with their attempts, and sent again one by one. Replay jobs are in replay-jobs.ts.
import type {
  getDelivery,
  listDeliveries,
  streamDeliveries,
  listAttempts as operation,
  replayDelivery,
} from '#contract/deliveries.ts'
import type { Input } from '#contract/operation.ts'
import { typesOf } from '#contract/webhook-grants.ts'
import { assertReadable, readableTypes } from '../ledger/feed.ts'
import type { Handlers, Call, Db, Handler } from '../execution/call.ts'
import { refuseParameter } from '../faults/shared-faults.ts'
import { keyset, keysetOfNumbers, type Pager } from '../collection/pagination.ts'
import { assertSpan } from '../validation/query-parameters.ts'
import { endOpenCircuit } from '../webhooks/rows.ts'
import { assertAccess, assertGranted, assertActive } from '../webhooks/rules.ts'
import { getHeld, releaseHeld } from './held.ts'
import { cancelJob, getJob, recover, replayMany } from './replay-jobs.ts'
import { findDelivery, toDeliveries, toAttempt, lockDelivery, restart, eventsOf } from './rows.ts'

type DeliveryDeps = { readonly pager: Pager }

export const deliveryHandlers = ({ pager }: DeliveryDeps) =>
  ({
    'deliveries.list': list(pager),
    'deliveries.get': get,
    'deliveries.attempts': listAttempts(pager),
    'deliveries.replay': replay,
    'deliveries.replay-many': replayMany,
    'webhooks.recover': recover,
    'deliveries.get-replay-job': getJob,
    'deliveries.cancel-replay-job': cancelJob,
    'held-deliveries.get': getHeld,
    'held-deliveries.release': releaseHeld,
  }) satisfies Partial<Handlers>

const get: Handler<typeof getDelivery> = ({ id }, call) => findDelivery(call, id)

const list =
  (pager: Pager): Handler<typeof listDeliveries> =>
  async (input, { db, workspaceId, principal }) => {
    const paging = pager.open('deliveries.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const { eventId, requestId, createdAfter, createdBefore } = input
    assertSpan('created', createdAfter, createdBefore, refuseParameter)
    const filter = {
      ...(await shownTo({ db, workspaceId, principal }, input)),
      ...(eventId && { eventId }),
      createdAt: { ...(createdAfter && { gt: createdAfter }), ...(createdBefore && { lt: createdBefore }) },
    }
    const ofRequest = requestId === undefined ? {} : { eventId: { in: await eventsOf(db, workspaceId, requestId) } }
    const rows = await db.delivery.findMany({ where: { AND: [filter, ofRequest, beyond] }, ...page })
    const { data, ...more } = pager.page(
      rows,
      paging,
      (row) => row.createdAt.toISOString(),
      (row) => row,
    )
    return { ...more, data: await toDeliveries(db, workspaceId, data) }
  }

type DeliveryCall = Pick<Call, 'db' | 'workspaceId' | 'principal'>

/** The conditions for what the caller asks for and may read. Throws for missing rights, and for an unknown webhook. */
export async function shownTo(
  { db, workspaceId, principal }: DeliveryCall,
  { status, webhookId, eventTypes }: Input<(typeof streamDeliveries)['asked']>,
) {
  if (eventTypes !== undefined) assertReadable(eventTypes, principal.scopes)
  if (webhookId !== undefined) await assertWebhook(db, workspaceId, webhookId)
  return {
    workspaceId,
    ...(status && { status: { in: status } }),
    ...(webhookId && { webhookId }),
    eventType: { in: eventTypes === undefined ? readableTypes(principal.scopes) : typesOf(eventTypes) },
  }
}

/** The webhook may be deleted. For an unknown id an empty list would look as if nothing had been sent. */
async function assertWebhook(db: Db, workspaceId: string, id: string): Promise<void> {
  const webhook = await db.webhook.findUnique({ where: { workspaceId_id: { workspaceId, id } }, select: { id: true } })
  if (webhook === null) refuseParameter('webhookId', 'not_found', 'No webhook has this ID.')
}

const listAttempts =
  (pager: Pager): Handler<typeof operation> =>
  async (input, call) => {
    const { db, workspaceId } = call
    const { eventId, eventType } = await findDelivery(call, input.id)
    const { body: eventBody, trace } = await db.event.findUniqueOrThrow({
      where: { workspaceId_id: { workspaceId, id: eventId } },
      select: { body: true, trace: true },
    })
    const paging = pager.open('deliveries.attempts', workspaceId, input, 'number')
    const { where: beyond, ...page } = keysetOfNumbers(paging)
    const rows = await db.attempt.findMany({ where: { workspaceId, deliveryId: input.id, ...beyond }, ...page })
    const numbered = rows.map((row) => ({ ...row, id: String(row.number) }))
    return pager.page(
      numbered,
      paging,
      (row) => row.id,
      (row) => toAttempt(row, { eventType, eventBody, trace }),
    )
  }

const replay: Handler<typeof replayDelivery> = async ({ id }, call) => {
  const { db, workspaceId, principal, now } = call
  const before = await lockDelivery(call, id)
  const webhook = await db.webhook.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId, id: before.webhookId } },
  })
  assertAccess(webhook, principal)
  assertActive(webhook)
  assertGranted(webhook, before.eventType)
  const after = await restart(db, before, now)
  await endOpenCircuit(db, workspaceId, before.webhookId, now)
  return after
}
