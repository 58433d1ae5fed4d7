import type { listAttempts as operation } from '#contract/deliveries.ts'
import type { Handler } from '../execution/call.ts'
import type { Pager } from '../collection/pagination.ts'
import { findDelivery, toAttempt } from './rows.ts'

export const listAttempts =
  (pager: Pager): Handler<typeof operation> =>
  async (input, call) => {
    const { db, workspaceId } = call
    const { eventId, eventType } = await findDelivery(call, input.id)
    const { body } = await db.event.findUniqueOrThrow({
      where: { workspaceId_id: { workspaceId, id: eventId } },
      select: { body: true },
    })
    const paging = pager.open('deliveries.attempts', workspaceId, input, 'number')
    const rows = await db.attempt.findMany({
      where: { workspaceId, deliveryId: input.id, number: { gt: Number(paging.after?.value ?? 0) } },
      orderBy: { number: 'asc' },
      take: paging.limit + 1,
    })
    const numbered = rows.map((row) => ({ ...row, id: String(row.number) }))
    return pager.page(
      numbered,
      paging,
      (row) => row.id,
      (row) => toAttempt(row, { eventType, eventBody: body }),
    )
  }
