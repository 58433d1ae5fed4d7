import {
  eventsOfRequestMax,
  type getDelivery,
  type listDeliveries,
  type streamDeliveries,
} from '#contract/deliveries.ts'
import type { Input } from '#contract/operation.ts'
import { typesOf } from '#contract/webhook-grants.ts'
import { assertReadable, readableTypes } from '../events/readable-types.ts'
import type { Call, Db, Handler } from '../execution/handler.ts'
import { keyset, type Pager } from '../lists/cursor-pagination.ts'
import { assertSpan } from '../lists/time-range.ts'
import { refuseParameter } from '../faults/field-refusals.ts'
import { findDelivery, toDelivery } from './rows.ts'

export const get: Handler<typeof getDelivery> = ({ id }, call) => findDelivery(call, id)

export const list =
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
    return pager.page(rows, paging, (row) => row.createdAt.toISOString(), toDelivery)
  }

async function eventsOf(db: Db, workspaceId: string, requestId: string): Promise<string[]> {
  const events = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM event WHERE workspace_id = ${workspaceId}::uuid AND request_id = ${requestId}
    ORDER BY sequence DESC LIMIT ${eventsOfRequestMax}::int`
  return events.map(({ id }) => id)
}

type DeliveryCall = Pick<Call, 'db' | 'workspaceId' | 'principal'>

/** Prisma's conditions for what a caller has asked for and may read. Throws for what he may not, and an unknown webhook. */
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

/** Deleted or not. For an unknown id an empty list would look as if nothing had been sent. */
async function assertWebhook(db: Db, workspaceId: string, id: string): Promise<void> {
  const webhook = await db.webhook.findUnique({ where: { workspaceId_id: { workspaceId, id } }, select: { id: true } })
  if (webhook === null) refuseParameter('webhookId', 'not_found', 'No webhook has this id.')
}
