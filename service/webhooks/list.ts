import type { listWebhooks } from '#contract/webhooks.ts'
import type { Handler } from '../handler.ts'
import { keyset, type Pager } from '../paging.ts'
import { findWebhooks, toWebhook } from './rows.ts'
import { lastDay, statsOf } from './stats.ts'

export const list =
  (pager: Pager): Handler<typeof listWebhooks> =>
  async (input, { db, workspaceId, now }) => {
    const paging = pager.open('webhooks.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const { status, eventType } = input
    const filter = {
      ...{ workspaceId, deletedAt: null },
      ...(status && { status: { in: status } }),
      ...(eventType !== undefined && { events: { hasSome: patternsTaking(eventType) } }),
    }
    const rows = await findWebhooks(db, { AND: [filter, beyond] }, page, now)
    const ids = rows.map(({ id }) => id)
    const stats = await statsOf(db, workspaceId, lastDay(ids, now))
    return pager.page(
      rows,
      paging,
      (row) => row.createdAt.toISOString(),
      (row) => toWebhook(row, stats[ids.indexOf(row.id)]),
    )
  }

const patternsTaking = (eventType: string): string[] => ['*', eventType, `${eventType.split('.')[0]}.*`]
