// Reads and writes members.
import type { Fault } from '#contract/faults/fault.ts'
import type { Actor } from '#contract/shared-fields.ts'
import type { Member } from '#contract/members.ts'
import type { Member as Row, Prisma } from '#prisma/generated/client.ts'
import { duplicate, missingReference } from '../faults/database-fault.ts'
import type { Db } from '../execution/handler.ts'
import { notFoundById } from '../faults/not-found.ts'

/** A member's id, and the field that holds it. */
type Named = { readonly field: string; readonly id: string }

export const findMembers = (db: Db, where: Prisma.MemberWhereInput, page: object): Promise<Row[]> =>
  db.member.findMany({ where, ...page })

/** Throws `not_found` alike for an id of another workspace, of a removed member, and of none at all. */
export async function findMember(db: Db, workspaceId: string, id: string): Promise<Member> {
  const member = await findAnyMember(db, workspaceId, id)
  if (member.deletedAt !== null) throw noMember()
  return member
}

/** The member, removed or not. Throws `not_found`. */
export async function findAnyMember(db: Db, workspaceId: string, id: string): Promise<Member> {
  const row = await db.member.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (row === null) throw noMember()
  return fromRow(row)
}

const noMember = (): Fault => notFoundById('member')

/** Throws `reference_not_found` for the first id that is no member's, or a removed one's. */
export async function assertAreMembers(db: Db, workspaceId: string, named: readonly Named[]): Promise<void> {
  if (named.length === 0) return
  const ids = named.map(({ id }) => id.toLowerCase())
  const rows = await db.member.findMany({
    where: { workspaceId, id: { in: ids }, deletedAt: null },
    select: { id: true },
  })
  const missing = named.find(({ id }) => !rows.some((row) => row.id === id.toLowerCase()))
  if (missing !== undefined) throw missingReference(missing.field)
}

/** With the account that it is linked to; null where there is none. A removed member is none. */
export async function findMemberByEmail(
  db: Db,
  workspaceId: string,
  email: string,
): Promise<{ readonly member: Member; readonly accountId: string | null } | null> {
  const row = await db.member.findFirst({ where: { workspaceId, email, deletedAt: null } })
  return row === null ? null : { member: fromRow(row), accountId: row.accountId }
}

export const countOtherActiveOwners = (db: Db, { workspaceId, id }: Member): Promise<number> =>
  db.member.count({ where: { workspaceId, id: { not: id }, role: 'owner', status: 'active', deletedAt: null } })

/** Throws `duplicate` when another member has the email. A removed member's email is free. */
export async function assertNoDuplicate(db: Db, { workspaceId, id, email }: Member): Promise<void> {
  const existing = await db.member.findFirst({
    where: { workspaceId, email, deletedAt: null, id: { not: id } },
    select: { id: true },
  })
  if (existing !== null) throw duplicate('email', existing.id)
}

export async function insertMember(tx: Db, member: Member): Promise<void> {
  await tx.member.create({ data: toRow(member) })
}

/** Without a new version: nothing that anybody reads of the member has changed. */
export async function linkAccount(tx: Db, { workspaceId, id }: Member, accountId: string): Promise<void> {
  await tx.member.update({ where: { workspaceId_id: { workspaceId, id } }, data: { accountId } })
}

export async function hasAccount(db: Db, { workspaceId, id }: Member): Promise<boolean> {
  const row = await db.member.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    select: { accountId: true },
  })
  return row !== null && row.accountId !== null
}

export async function isMemberOf(db: Db, workspaceId: string, accountId: string): Promise<boolean> {
  const row = await db.member.findFirst({ where: { workspaceId, accountId, deletedAt: null }, select: { id: true } })
  return row !== null
}

/** When the member was seen last is written by `noteSeen` alone. */
export async function updateMember(tx: Db, member: Member): Promise<void> {
  const { workspaceId, id, lastSeenAt: _lastSeenAt, ...data } = toRow(member)
  await tx.member.update({ where: { workspaceId_id: { workspaceId, id } }, data })
}

export function fromRow({ leftAt: _leftAt, accountId: _accountId, ...row }: Row): Member {
  return {
    ...row,
    object: 'member',
    // The table's checks allow no other values.
    role: row.role as Member['role'],
    status: row.status as Member['status'],
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    createdBy: row.createdBy as Actor,
    updatedBy: row.updatedBy as Actor,
  }
}

const toRow = ({ object: _object, ...member }: Member) => member
