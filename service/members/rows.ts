// Members, found by id, email, account, name, or as the owner of the calling key.
import type { Fault } from '#contract/faults/fault.ts'
import type { Member } from '#contract/members.ts'
import { parseName } from '#contract/references.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { Prisma, type Member as MemberRow } from '#prisma/generated/client.ts'
import { column, query } from '#prisma/statements.ts'
import type { Db, Call } from '../execution/call.ts'
import { assertHolds } from '../execution/authorize.ts'
import { duplicate, missingReference, notFoundById } from '../faults/shared-faults.ts'
import { folded, escapeLike } from '../collection/text-matching.ts'
import { foldText } from '../text/search-words.ts'

/** A member's id, and the field that holds it. */
type Named = { readonly field: string; readonly id: string }

export const findMembers = (db: Db, where: Prisma.MemberWhereInput, page: object): Promise<MemberRow[]> =>
  db.member.findMany({ where, ...page })

/** Throws the same `not_found` for a member of another workspace, a removed one, and an unknown id. */
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

/** Throws `reference_not_found` for the first id that is not a current member. */
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

/** Returns the current member with the linked account, or null. */
export async function findMemberByEmail(
  db: Db,
  workspaceId: string,
  email: string,
): Promise<{ readonly member: Member; readonly accountId: string | null } | null> {
  const row = await db.member.findFirst({ where: { workspaceId, email, deletedAt: null } })
  return row === null ? null : { member: fromRow(row), accountId: row.accountId }
}

const membersByEmail = query(
  { name: column.text, id: column.uuid },
  (workspaceId: string, names: readonly string[], emails: readonly string[]) => Prisma.sql`
    SELECT given.name, m.id FROM unnest(${names}::text[], ${emails}::text[]) AS given (name, email)
    JOIN member m ON m.workspace_id = ${workspaceId}::uuid AND m.email = given.email AND m.deleted_at IS NULL`,
)

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

/** Makes no new version: no visible field of the member changes. */
export async function linkAccount(tx: Db, { workspaceId, id }: Member, accountId: string): Promise<void> {
  await tx.member.update({ where: { workspaceId_id: { workspaceId, id } }, data: { accountId } })
}

/** Throws `not_found` for a member without an account. */
export async function findLinkedAccount(db: Db, workspaceId: string, id: string): Promise<string> {
  const where = { workspaceId_id: { workspaceId, id } }
  const row = await db.member.findUnique({ where, select: { accountId: true } })
  if (row === null || row.accountId === null) throw noMember()
  return row.accountId
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

/** Leaves out the time of last use, which `noteSeen` alone writes. */
export async function updateMemberRow(tx: Db, member: Member): Promise<void> {
  const { workspaceId, id, lastSeenAt: _lastSeenAt, ...data } = toRow(member)
  await tx.member.update({ where: { workspaceId_id: { workspaceId, id } }, data })
}

export function fromRow({ leftAt: _leftAt, accountId: _accountId, ...row }: MemberRow): Member {
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

/** The message for a key without an owner. */
export const noOwner = '`me` is the owner of the key, and this key has none here.'

/**
 * The member that `me` stands for: the person who is signed in, or the owner of the calling key. Returns null for a key
 * without an owner here, and for the operator.
 */
export async function ownerOfKey({ db, principal, workspaceId }: Call): Promise<string | null> {
  if (principal.kind === 'member') return principal.id
  if (principal.kind !== 'api_key') return null
  const key = await db.apiKey.findFirst({ where: { id: principal.id, workspaceId }, select: { ownerId: true } })
  return key?.ownerId ?? null
}

/** May it be a member's name, in the place of an id: `me`, or an email? */
export const isMemberName = (text: unknown): text is string =>
  typeof text === 'string' && (text.toLowerCase() === 'me' || parseName(text)?.form === 'email')

/** The ids by such names: those that stand for no member are missing. Throws `insufficient_scope` for emails. */
export async function memberIdsNamed(names: readonly string[], call: Call): Promise<ReadonlyMap<string, string>> {
  const [ofOwner, emails] = [
    names.filter((name) => name.toLowerCase() === 'me'),
    names.filter((name) => name.includes('@')),
  ]
  const ownerId = ofOwner.length === 0 ? null : await ownerOfKey(call)
  const found = emails.length === 0 ? [] : await membersNamed(emails, call)
  return new Map([
    ...(ownerId === null ? [] : ofOwner.map((name): [string, string] => [name, ownerId])),
    ...found.map(({ name, id }): [string, string] => [name, id]),
  ])
}

/** Current members by their emails, with `email:` before them or without. */
export async function membersNamed(names: readonly string[], { db, principal, workspaceId }: Call) {
  assertHolds(['members:read'], principal.scopes, 'To name a member by email')
  const emails = names.map((name) => name.replace(/^email:/, '').toLowerCase())
  return membersByEmail(db, workspaceId, names, emails)
}

const membersLike = query(
  { id: column.uuid },
  (workspaceId: string, text: Prisma.Sql) => Prisma.sql`
    SELECT id FROM member WHERE workspace_id = ${workspaceId}::uuid
      AND (folded(name) LIKE ${text} OR folded(email) LIKE ${text})`,
)

/** The ids of members with this text in name or email. Prisma would fold case by the locale of the database. */
export async function idsOfCalled(q: string, workspaceId: string, db: Db): Promise<string[]> {
  const text = folded(`%${escapeLike(foldText(q))}%`)
  const rows = await membersLike(db, workspaceId, text)
  return rows.map(({ id }) => id)
}
