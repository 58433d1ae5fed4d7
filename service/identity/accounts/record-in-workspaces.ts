// Records a change of an account in the audit log of each workspace in which it is a member.
import type { Principal } from '#contract/internal/principal.ts'
import type { Account } from '#prisma/generated/client.ts'
import { runChange, type Action, type Notifications, type Recorders } from '../../execution/change.ts'
import type { Db } from '../../execution/call.ts'
import { isUnchanged } from '../../execution/system-fields.ts'
import { membershipsOf, type MembershipRow } from './rows.ts'

/** An account with more workspaces is recorded in so many of them. */
const recordedWorkspacesMax = 50

/** The changed fields of the account, without those that name it. */
export type AccountChange = { readonly before: object; readonly after: object }
type Author = (membership: MembershipRow) => Principal

/** Writes nothing when nothing has changed. */
export async function recordInWorkspaces(
  recorders: Recorders,
  tx: Db,
  { id, name }: Pick<Account, 'id' | 'name'>,
  { action, by, before, after }: AccountChange & { readonly action: Action; readonly by: Author },
): Promise<Notifications> {
  const memberships = isUnchanged(before, after) ? [] : await membershipsOf(tx, id)
  // Always in the same order, so that two of these cannot deadlock.
  const inOrder = memberships.toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1))
  for (const membership of inOrder.slice(0, recordedWorkspacesMax)) {
    const { workspaceId } = membership
    const principal = { ...by(membership), workspaceId }
    const named = { object: 'account', id, name }
    await runChange(recorders, tx, { principal, workspaceId, action }, async ({ audit }) =>
      audit({ ...named, ...after }, { ...named, ...before }),
    )
  }
  return { notifications: [], keyChanges: [] }
}

/** The person themselves, as the member that each workspace knows. */
export const byThemselves =
  (principal: Principal, { name }: Pick<Account, 'name'>): Author =>
  ({ memberId }) => ({ ...principal, kind: 'member', id: memberId, name })

/** A person of whom a workspace learns no more than this. */
export const byOutsider =
  ({ requestId }: Pick<Principal, 'requestId'>, who: Pick<Principal, 'id' | 'name'>): Author =>
  ({ workspaceId }) => ({
    ...who,
    kind: 'visitor',
    workspaceId,
    scopes: [],
    surface: 'internal',
    requestId,
    clientAddress: '',
    quota: null,
  })
