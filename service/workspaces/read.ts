import type { getCurrentWorkspace, getWorkspace, listWorkspaces } from '#contract/workspaces.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import type { Handler } from '../execution/call.ts'
import { quotaUsage } from '../execution/quotas.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import { withLimits } from './describe-limits.ts'
import { findWorkspace, fromRow } from './rows.ts'

export const get =
  (rates: DefaultRates): Handler<typeof getWorkspace> =>
  async ({ id }, { db }) => ({
    ...withLimits(await findWorkspace(db, id), rates),
    usage: await quotaUsage(db, id),
  })

export const getCurrent =
  (rates: DefaultRates): Handler<typeof getCurrentWorkspace> =>
  async (_input, { db, workspaceId }) => ({
    ...withLimits(await findWorkspace(db, workspaceId), rates),
    usage: await quotaUsage(db, workspaceId),
  })

export const list =
  (pager: Pager, rates: DefaultRates): Handler<typeof listWorkspaces> =>
  async (input, { db }) => {
    const paging = pager.open('workspaces.list', '', input, 'createdAt')
    const rows = await db.workspace.findMany(keyset(paging))
    return pager.page(
      rows,
      paging,
      (row) => row.createdAt.toISOString(),
      (row) => withLimits(fromRow(row), rates),
    )
  }
