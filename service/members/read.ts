import type { Member, getMember, listMembers } from '#contract/members.ts'
import type { Input } from '#contract/operation.ts'
import type { Prisma, Member as Row } from '#prisma/generated/client.ts'
import type { Handler } from '../execution/handler.ts'
import { keyset, type Pager } from '../lists/cursor-pagination.ts'
import { escapeLike } from '../lists/search-terms.ts'
import { findMember, findMembers, fromRow } from './rows.ts'

export const get: Handler<typeof getMember> = ({ id }, { db, workspaceId }) => findMember(db, workspaceId, id)

export const list =
  (pager: Pager): Handler<typeof listMembers> =>
  async (input, { db, workspaceId }) => {
    const paging = pager.open('members.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const rows = await findMembers(db, { AND: [filter(input, workspaceId), beyond] }, page)
    return pager.page(rows, paging, (row) => textOf(row[paging.field as 'createdAt' | 'updatedAt' | 'name']), shown)
  }

function filter(input: Input<typeof listMembers>, workspaceId: string): Prisma.MemberWhereInput {
  const { role, status, q, ids, createdAfter, createdBefore, updatedAfter, updatedBefore, includeDeleted } = input
  return {
    workspaceId,
    ...(includeDeleted !== true && { deletedAt: null }),
    ...(role && { role: { in: role } }),
    ...(status && { status: { in: status } }),
    ...(ids && { id: { in: ids } }),
    ...(q !== undefined && { OR: [{ name: containing(q) }, { email: containing(q) }] }),
    createdAt: { ...(createdAfter && { gt: createdAfter }), ...(createdBefore && { lt: createdBefore }) },
    updatedAt: { ...(updatedAfter && { gt: updatedAfter }), ...(updatedBefore && { lt: updatedBefore }) },
  }
}

/** Prisma makes a LIKE of it, and escapes nothing. */
const containing = (text: string) => ({ contains: escapeLike(text), mode: 'insensitive' as const })

const textOf = (value: Date | string): string => (typeof value === 'string' ? value : value.toISOString())

/** Of a removed member only its id, version and the time of the removal are shown. */
function shown(row: Row): Member | { id: string; object: 'member'; version: number; deletedAt: string } {
  if (row.deletedAt === null) return fromRow(row)
  return { id: row.id, object: 'member', version: row.version, deletedAt: row.deletedAt.toISOString() }
}
