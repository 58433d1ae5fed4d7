// The sandboxes of a workspace in which one of its members is a member as well, mostly as the owner who made them. No
// other of the workspace may be a member there: when the person is removed, the sandbox is handed over.
import { Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { memberAdded, memberUpdated, removeMember } from '#contract/members.ts'
import { newId } from '#runtime/new-id.ts'
import { runChange, type Recorders } from '../execution/change.ts'
import type { Call } from '../execution/call.ts'
import { assertNoDuplicate, fromRow, insertMember, linkAccount, updateMemberRow } from '../members/rows.ts'
import { applyPatch, draft } from '../members/rules.ts'

type AccessCall = Pick<Call, 'db' | 'workspaceId'>

/** `memberId`: of the person, in the sandbox. */
export type OwnSandbox = {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly memberId: string
}

/** Newest first. */
export async function sandboxesOf(memberId: string, { db, workspaceId }: AccessCall): Promise<OwnSandbox[]> {
  const accountId = await accountOf(memberId, { db, workspaceId })
  if (accountId === null) return []
  const sandboxes = await db.workspace.findMany({
    where: { sandboxOf: workspaceId },
    select: { id: true, name: true, createdAt: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  if (sandboxes.length === 0) return []
  const members = await db.member.findMany({
    where: { workspaceId: { in: sandboxes.map(({ id }) => id) }, accountId, deletedAt: null },
    select: { id: true, workspaceId: true },
  })
  return sandboxes.flatMap((sandbox) => {
    const member = members.find((each) => each.workspaceId === sandbox.id)
    return member === undefined ? [] : [{ ...sandbox, memberId: member.id }]
  })
}

export async function accountOf(id: string, { db, workspaceId }: AccessCall): Promise<string | null> {
  const where = { workspaceId_id: { workspaceId, id } }
  return (await db.member.findUnique({ where, select: { accountId: true } }))?.accountId ?? null
}

type Heir = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly accountId: string | null
}
type Handover = {
  readonly removedId: string
  /** To whom other things of the person are transferred. */
  readonly transferTo: string | null
  readonly removeIn: (memberId: string, call: Call) => Promise<void>
}

/**
 * Makes the heir an owner of each sandbox and then removes the person there, in the transaction of the call. What
 * dispatchers are to be told of it, they find within seconds by themselves.
 */
export async function handOverSandboxes(
  sandboxes: readonly OwnSandbox[],
  { removedId, transferTo, removeIn }: Handover,
  call: Call,
  recorders: Recorders,
): Promise<void> {
  if (sandboxes.length === 0) return
  const heir = await heirOf(removedId, transferTo, call)
  for (const { id, name, memberId } of sandboxes) {
    const known = await memberRowOf(heir, { db: call.db, workspaceId: id })
    const ownerId = known?.id ?? newId(call.now)
    const change = { principal: callerIn(id, call.principal, heir, ownerId), workspaceId: id, action: removeMember }
    const { keyChanges } = await runChange(recorders, call.db, change, async (within) => {
      await makeOwner(heir, ownerId, within)
      await removeIn(memberId, within)
    })
    keyChanges.forEach(call.keysChanged)
    const shown = { id, object: 'workspace', name }
    call.audit({ ...shown, handedOverTo: { id: heir.id, name: heir.name } }, { ...shown, handedOverTo: null })
  }
}

/** Who gets other things of the member, or the caller; for the operator, and who removes themself, the oldest owner. */
async function heirOf(
  removedId: string,
  transferTo: string | null,
  { db, workspaceId, principal }: Call,
): Promise<Heir> {
  const callerId = principal.kind === 'member' && principal.id !== removedId ? principal.id : null
  const id = transferTo ?? callerId
  const heir = await db.member.findFirst({
    where: {
      workspaceId,
      status: 'active',
      deletedAt: null,
      ...(id === null ? { id: { not: removedId }, role: 'owner' } : { id }),
    },
    select: { id: true, name: true, email: true, accountId: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  if (heir !== null) return heir
  throw new Fault('invalid_transition', 'The member has a sandbox that no other owner can take over.', {
    hint: 'Make another member an active owner first.',
  })
}

/** The caller of the workspace as an owner of the sandbox, which whoever may remove the person is for this change. */
const callerIn = (workspaceId: string, { session, ...caller }: Principal, heir: Heir, ownerId: string): Principal => ({
  ...caller,
  workspaceId,
  ...(caller.kind === 'member' && caller.id === heir.id && { id: ownerId }),
  ...(session && { session: { ...session, role: 'owner' } }),
})

/** The member that the heir is in this workspace already: by the account, or invited by this email. */
async function memberRowOf({ accountId, email }: Heir, { db, workspaceId }: AccessCall) {
  const byEmail = { email, accountId: null }
  return db.member.findFirst({
    where: { workspaceId, deletedAt: null, OR: accountId === null ? [{ email }] : [{ accountId }, byEmail] },
  })
}

async function makeOwner(heir: Heir, id: string, call: Call): Promise<void> {
  const { db, workspaceId, actor, now, emit } = call
  const row = await memberRowOf(heir, call)
  const before = row === null ? null : fromRow(row)
  const owner = { role: 'owner', status: 'active' } as const
  const after =
    before === null
      ? draft({ name: heir.name, email: heir.email, ...owner }, { id, workspaceId, actor, now })
      : applyPatch(before, owner, call)
  if (before === null) {
    await assertNoDuplicate(db, after)
    await insertMember(db, after)
    emit(memberAdded, after)
  } else if (after !== before) {
    await updateMemberRow(db, after)
    emit(memberUpdated, after, before)
  }
  if (heir.accountId !== null && row?.accountId !== heir.accountId) await linkAccount(db, after, heir.accountId)
}
