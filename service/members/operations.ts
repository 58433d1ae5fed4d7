// Members of a workspace. Changing and removing one also decides about keys and webhooks: see `member-access`.
import {
  memberAdded,
  memberRemoved,
  memberUpdated,
  type Member,
  type getMember,
  type listMembers,
  type addMember,
  type removeMember,
  type updateMember,
} from '#contract/members.ts'
import type { Input } from '#contract/operation.ts'
import type { Prisma, Member as MemberRow } from '#prisma/generated/client.ts'
import { newId } from '#runtime/new-id.ts'
import type { Handlers, Handler, Call } from '../execution/call.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { assertRoomFor } from '../execution/quotas.ts'
import { endSessionsOfMember } from '../identity/sessions/rows.ts'
import {
  findMember,
  findMembers,
  fromRow,
  assertNoDuplicate,
  countOtherActiveOwners,
  findAnyMember,
  insertMember,
  updateMemberRow,
  idsOfCalled,
} from './rows.ts'
import { applyPatch, assertMayDecide, assertOwnerStays, draft, removed } from './rules.ts'

type MemberDeps = { readonly pager: Pager }

export const memberHandlers = ({ pager }: MemberDeps) =>
  ({
    'members.list': list(pager),
    'members.get': get,
    'members.add': add,
  }) satisfies Partial<Handlers>

const get: Handler<typeof getMember> = ({ id }, { db, workspaceId }) => findMember(db, workspaceId, id)

const list =
  (pager: Pager): Handler<typeof listMembers> =>
  async (input, { db, workspaceId }) => {
    const paging = pager.open('members.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const called = input.q === undefined ? {} : { id: { in: await idsOfCalled(input.q, workspaceId, db) } }
    const rows = await findMembers(db, { AND: [filter(input, workspaceId), called, beyond] }, page)
    return pager.page(rows, paging, (row) => textOf(row[paging.field as 'createdAt' | 'updatedAt' | 'name']), shown)
  }

function filter(input: Input<typeof listMembers>, workspaceId: string): Prisma.MemberWhereInput {
  const { role, status, email, ids, createdAfter, createdBefore, updatedAfter, updatedBefore, includeDeleted } = input
  return {
    workspaceId,
    ...(includeDeleted !== true && { deletedAt: null }),
    ...(role && { role: { in: role } }),
    ...(status && { status: { in: status } }),
    ...(email && { email: { in: email.map((each) => each.toLowerCase()) } }),
    ...(ids && { id: { in: ids } }),
    createdAt: { ...(createdAfter && { gt: createdAfter }), ...(createdBefore && { lt: createdBefore }) },
    updatedAt: { ...(updatedAfter && { gt: updatedAfter }), ...(updatedBefore && { lt: updatedBefore }) },
  }
}

const textOf = (value: Date | string): string => (typeof value === 'string' ? value : value.toISOString())

/** A removed member is shown with id, version and time of removal only. */
function shown(row: MemberRow): Member | { id: string; object: 'member'; version: number; deletedAt: string } {
  if (row.deletedAt === null) return fromRow(row)
  return { id: row.id, object: 'member', version: row.version, deletedAt: row.deletedAt.toISOString() }
}

const add: Handler<typeof addMember> = async (input, call) => {
  const { db, principal, workspaceId, actor, now, emit } = call
  const member = draft(input, { id: newId(now), workspaceId, actor, now })
  assertMayDecide(principal, undefined, member)
  await assertNoDuplicate(db, member)
  await assertRoomFor(db, workspaceId, 'members')
  await insertMember(db, member)
  emit(memberAdded, member)
  return member
}

type MemberChange = Omit<Input<typeof updateMember>, 'keys' | 'webhooks' | 'transferTo'>
type MemberRemoval = Omit<Input<typeof removeMember>, 'keys' | 'webhooks' | 'transferTo'>

/** Changes the member alone; `member-access` decides about the member's keys and webhooks. */
export async function update(
  { id, expectedVersion, ...patch }: MemberChange,
  call: Call<typeof memberUpdated>,
): Promise<Member> {
  const { db, principal, workspaceId, emit, audit } = call
  const before = await findMember(db, workspaceId, id)
  assertVersion(before, expectedVersion, call)
  const after = applyPatch(before, patch, call)
  if (after === before) return before
  assertMayDecide(principal, before, after)
  assertOwnerStays(before, after, await countOtherActiveOwners(db, before))
  await assertNoDuplicate(db, after)
  await updateMemberRow(db, after)
  if (after.role !== before.role) await endSessionsOfMember(db, workspaceId, after.id)
  emit(memberUpdated, after, before)
  audit(after, before)
  return after
}

/**
 * Removes the member alone, and returns null when that has happened before. `member-access` decides about the rest and
 * writes the entry of the audit log. Objects that name the member change in the background.
 */
export async function remove(
  { id, expectedVersion }: MemberRemoval,
  call: Call<typeof memberRemoved>,
): Promise<{ readonly before: Member; readonly after: Member } | null> {
  const { db, principal, workspaceId, emit } = call
  const before = await findAnyMember(db, workspaceId, id)
  if (before.deletedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  const after = removed(before, call)
  assertMayDecide(principal, before, after)
  assertOwnerStays(before, after, await countOtherActiveOwners(db, before))
  await updateMemberRow(db, after)
  emit(memberRemoved, after)
  return { before, after }
}
