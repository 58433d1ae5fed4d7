import type { listWorkspaces } from '#contract/workspaces.ts'
import type { Handler } from '../execution/handler.ts'
import { keyset, type Pager } from '../lists/pagination.ts'
import { fromRow } from './rows.ts'

export const list =
  (pager: Pager): Handler<typeof listWorkspaces> =>
  async (input, { db }) => {
    const paging = pager.open('workspaces.list', '', input, 'createdAt')
    const rows = await db.workspace.findMany(keyset(paging))
    return pager.page(rows, paging, (row) => row.createdAt.toISOString(), fromRow)
  }
