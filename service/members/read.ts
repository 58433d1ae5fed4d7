import type { Member, getMember, listMembers } from '#contract/members.ts'
import type { Input } from '#contract/operation.ts'
import type { Prisma, Member as MemberRow } from '#prisma/generated/client.ts'
import type { Db, Handler } from '../execution/handler.ts'
import { keyset, type Pager } from '../lists/cursor-pagination.ts'
import { escapeLike, folded } from '../lists/search-terms.ts'
import { findMember, findMembers, fromRow } from './rows.ts'

export const get: Handler<typeof getMember> = ({ id }, { db, workspaceId }) => findMember(db, workspaceId, id)

export const list =
  (pager: Pager): Handler<typeof listMembers> =>
  async (input, { db, workspaceId }) => {
    const paging = pager.open('members.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const called = input.q === undefined ? {} : { id: { in: await idsOfCalled(input.q, workspaceId, db) } }
    const rows = await findMembers(db, { AND: [filter(input, workspaceId), called, beyond] }, page)
    return pager.page(rows, paging, (row) => textOf(row[paging.field as 'createdAt' | 'updatedAt' | 'name']), shown)
  }

function filter(input: Input<typeof listMembers>, workspaceId: string): Prisma.MemberWhereInput {
  const { role, status, ids, createdAfter, createdBefore, updatedAfter, updatedBefore, includeDeleted } = input
  return {
    workspaceId,
    ...(includeDeleted !== true && { deletedAt: null }),
    ...(role && { role: { in: role } }),
    ...(status && { status: { in: status } }),
    ...(ids && { id: { in: ids } }),
    createdAt: { ...(createdAfter && { gt: createdAfter }), ...(createdBefore && { lt: createdBefore }) },
    updatedAt: { ...(updatedAfter && { gt: updatedAfter }), ...(updatedBefore && { lt: updatedBefore }) },
  }
}

/** The ids of members with this text in their name or email. Prisma's own way would fold case as the database's locale does. */
async function idsOfCalled(q: string, workspaceId: string, db: Db): Promise<string[]> {
  const text = folded(`%${escapeLike(q)}%`)
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM member WHERE workspace_id = ${workspaceId}::uuid
      AND (folded(name) LIKE ${text} OR folded(email) LIKE ${text})`
  return rows.map(({ id }) => id)
}

const textOf = (value: Date | string): string => (typeof value === 'string' ? value : value.toISOString())

/** Of a removed member only its id, version and the time of the removal are shown. */
function shown(row: MemberRow): Member | { id: string; object: 'member'; version: number; deletedAt: string } {
  if (row.deletedAt === null) return fromRow(row)
  return { id: row.id, object: 'member', version: row.version, deletedAt: row.deletedAt.toISOString() }
}
