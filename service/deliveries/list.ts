import type { listDeliveries } from '#contract/deliveries.ts'
import { assertReadable, readableTypes } from '../events/rules.ts'
import type { Handler } from '../handler.ts'
import { keyset, type Pager } from '../paging.ts'
import { toDelivery } from './rows.ts'

export const list =
  (pager: Pager): Handler<typeof listDeliveries> =>
  async (input, { db, workspaceId, principal }) => {
    const paging = pager.open('deliveries.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const { status, webhookId, eventTypes, createdAfter, createdBefore } = input
    if (eventTypes !== undefined) assertReadable(eventTypes, principal.scopes)
    const readable = readableTypes(principal.scopes)
    const filter = {
      workspaceId,
      ...(status && { status: { in: status } }),
      ...(webhookId && { webhookId }),
      eventType: { in: eventTypes === undefined ? readable : readable.filter((type) => eventTypes.includes(type)) },
      createdAt: { ...(createdAfter && { gt: createdAfter }), ...(createdBefore && { lt: createdBefore }) },
    }
    const rows = await db.delivery.findMany({ where: { AND: [filter, beyond] }, ...page })
    return pager.page(rows, paging, (row) => row.createdAt.toISOString(), toDelivery)
  }
