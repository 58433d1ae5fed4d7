import type { listWebhooks } from '#contract/webhooks.ts'
import type { Handler } from '../handler.ts'
import { keyset, type Pager } from '../paging.ts'
import { findWebhooks, toWebhook } from './rows.ts'

export const list =
  (pager: Pager): Handler<typeof listWebhooks> =>
  async (input, { db, workspaceId, now }) => {
    const paging = pager.open('webhooks.list', workspaceId, input, '-createdAt')
    const { where, ...page } = keyset(paging)
    const rows = await findWebhooks(db, { AND: [{ workspaceId, deletedAt: null }, where] }, page, now)
    return pager.page(rows, paging, (row) => row.createdAt.toISOString(), toWebhook)
  }
