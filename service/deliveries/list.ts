import type { listDeliveries } from '#contract/deliveries.ts'
import type { Handler } from '../handler.ts'
import { keyset, type Pager } from '../paging.ts'
import { toDelivery } from './rows.ts'

export const list =
  (pager: Pager): Handler<typeof listDeliveries> =>
  async (input, { db, workspaceId }) => {
    const paging = pager.open('deliveries.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const { status, webhookId, eventType, after, before } = input
    const filter = {
      workspaceId,
      ...(status && { status: { in: status } }),
      ...(webhookId && { webhookId }),
      ...(eventType && { eventType }),
      createdAt: { ...(after && { gt: after }), ...(before && { lt: before }) },
    }
    const rows = await db.delivery.findMany({ where: { AND: [filter, beyond] }, ...page })
    return pager.page(rows, paging, (row) => row.createdAt.toISOString(), toDelivery)
  }
