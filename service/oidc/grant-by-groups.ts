// Whoever is no member of a workspace becomes one where their groups say so. What members may do already stays as it is.
import { completeAtProvider } from '#contract/sessions.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { memberAdded, memberUpdated } from '#contract/members.ts'
import type { Role } from '#contract/roles.ts'
import type { Account } from '#prisma/generated/client.ts'
import { newId } from '#runtime/new-id.ts'
import { runChange } from '../execution/commit-change.ts'
import type { Call, Db } from '../execution/handler.ts'
import { hasRoomFor } from '../execution/quotas.ts'
import type { Notifications, Recorders } from '../execution/record-change.ts'
import { findMemberByEmail, insertMember, isMemberOf, linkAccount, updateMember } from '../members/rows.ts'
import { applyPatch, draft } from '../members/rules.ts'
import type { Person } from './person.ts'

type Grant = { readonly workspaceId: string; readonly role: Role }

export async function grantByGroups(
  recorders: Recorders,
  tx: Db,
  roles: ReadonlyMap<string, Role>,
  { account, person, principal }: { readonly account: Account; readonly person: Person; readonly principal: Principal },
): Promise<Notifications> {
  const done: Notifications[] = []
  const ids = [...roles.keys()]
  const there = await tx.workspace.findMany({
    where: { id: { in: ids } },
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  // In the same order each time, so that two of these do not wait for each other in a circle.
  for (const { id: workspaceId } of there) {
    if (await isMemberOf(tx, workspaceId, account.id)) continue
    const id = newId()
    const by: Principal = { ...principal, kind: 'member', id, name: person.name, workspaceId }
    const change = { principal: by, workspaceId, action: completeAtProvider }
    const grant = { workspaceId, role: roles.get(workspaceId) ?? 'viewer' }
    done.push(await runChange(recorders, tx, change, (call) => join(tx, grant, id, { account, person }, call)))
  }
  return {
    notifications: done.flatMap(({ notifications }) => notifications),
    keyChanges: done.flatMap(({ keyChanges }) => keyChanges),
  }
}

/** A member whom somebody has added with this e-mail keeps the role; one who was suspended stays so. */
async function join(
  tx: Db,
  { workspaceId, role }: Grant,
  id: string,
  { account, person: { email, name } }: { readonly account: Account; readonly person: Person },
  call: Call,
): Promise<void> {
  const { actor, now, emit } = call
  const added = await findMemberByEmail(tx, workspaceId, email)
  if (added === null) {
    // A workspace that is full keeps nobody out of the others.
    if (!(await hasRoomFor(tx, workspaceId, 'members'))) return
    const member = draft({ name, email, role, status: 'active' }, { id, workspaceId, actor, now })
    await insertMember(tx, member)
    await linkAccount(tx, member, account.id)
    emit(memberAdded, member)
  } else if (added.accountId === null && added.member.status !== 'suspended') {
    const after = applyPatch(added.member, { status: 'active' }, call)
    await linkAccount(tx, added.member, account.id)
    if (after === added.member) return
    await updateMember(tx, after)
    emit(memberUpdated, after, added.member)
  }
}
