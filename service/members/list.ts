import type { Member, listMembers } from '#contract/members.ts'
import type { Input } from '#contract/operation.ts'
import type { Prisma, Member as Row } from '#prisma/generated/client.ts'
import type { Handler } from '../execution/handler.ts'
import { keyset, type Pager } from '../lists/pagination.ts'
import { findMembers, fromRow } from './rows.ts'

export const list =
  (pager: Pager): Handler<typeof listMembers> =>
  async (input, { db, workspaceId }) => {
    const paging = pager.open('members.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const rows = await findMembers(db, { AND: [filter(input, workspaceId), beyond] }, page)
    return pager.page(rows, paging, (row) => valueOf(row[paging.field as 'createdAt' | 'updatedAt' | 'name']), show)
  }

function filter(input: Input<typeof listMembers>, workspaceId: string): Prisma.MemberWhereInput {
  const { role, status, q, ids, createdAfter, createdBefore, updatedAfter, updatedBefore, includeDeleted } = input
  return {
    workspaceId,
    ...(includeDeleted !== true && { deletedAt: null }),
    ...(role && { role: { in: role } }),
    ...(status && { status: { in: status } }),
    ...(ids && { id: { in: ids } }),
    ...(q !== undefined && { OR: [{ name: holding(q) }, { email: holding(q) }] }),
    createdAt: { ...(createdAfter && { gt: createdAfter }), ...(createdBefore && { lt: createdBefore }) },
    updatedAt: { ...(updatedAfter && { gt: updatedAfter }), ...(updatedBefore && { lt: updatedBefore }) },
  }
}

/** The database would read `%` and `_` as wildcards. */
const holding = (text: string) => ({ contains: text.replaceAll(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const })

const valueOf = (value: Date | string): string => (typeof value === 'string' ? value : value.toISOString())

function show(row: Row): Member | { id: string; object: 'member'; version: number; deletedAt: string } {
  if (row.deletedAt === null) return fromRow(row)
  return { id: row.id, object: 'member', version: row.version, deletedAt: row.deletedAt.toISOString() }
}
