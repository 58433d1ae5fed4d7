import type { getCurrentWorkspace, getWorkspace, listWorkspaces } from '#contract/workspaces.ts'
import type { Handler } from '../execution/handler.ts'
import { keyset, type Pager } from '../lists/cursor-pagination.ts'
import { findWorkspace, fromRow } from './rows.ts'

export const get: Handler<typeof getWorkspace> = ({ id }, { db }) => findWorkspace(db, id)

export const getCurrent: Handler<typeof getCurrentWorkspace> = (_input, { db, workspaceId }) =>
  findWorkspace(db, workspaceId)

export const list =
  (pager: Pager): Handler<typeof listWorkspaces> =>
  async (input, { db }) => {
    const paging = pager.open('workspaces.list', '', input, 'createdAt')
    const rows = await db.workspace.findMany(keyset(paging))
    return pager.page(rows, paging, (row) => row.createdAt.toISOString(), fromRow)
  }
