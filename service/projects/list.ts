import type { listProjects } from '#contract/projects.ts'
import type { Handler } from '../handler.ts'
import { keyset, type Pager } from '../paging.ts'
import { findProjects, fromRow } from './rows.ts'

export const list =
  (pager: Pager): Handler<typeof listProjects> =>
  async (input, { db, workspaceId }) => {
    const paging = pager.open('projects.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const rows = await findProjects(db, { AND: [filter(input, workspaceId), beyond] }, page)
    return pager.page(rows, paging, (row) => valueOf(row[paging.field as 'createdAt' | 'updatedAt' | 'name']), fromRow)
  }

function filter(input: Parameters<Handler<typeof listProjects>>[0], workspaceId: string) {
  const { status, priority, ownerId, updatedAfter, updatedBefore, includeArchived = false } = input
  return {
    workspaceId,
    deletedAt: null,
    ...(status && { status: { in: status } }),
    ...(priority && { priority: { in: priority } }),
    ...(ownerId && { ownerId }),
    ...(!includeArchived && { archivedAt: null }),
    updatedAt: { ...(updatedAfter && { gt: updatedAfter }), ...(updatedBefore && { lt: updatedBefore }) },
  }
}

const valueOf = (value: Date | string): string => (typeof value === 'string' ? value : value.toISOString())
