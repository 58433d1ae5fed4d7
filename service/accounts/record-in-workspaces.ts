// What happens to an account stands in the audit log of each workspace where it is a member.
import type { Membership } from '#contract/account.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Account } from '#prisma/generated/client.ts'
import { runChange } from '../execution/commit-change.ts'
import type { Db } from '../execution/handler.ts'
import type { Action, Notifications, Recorders } from '../execution/record-change.ts'
import { isUnchanged } from '../object-versions/changed-fields.ts'
import { membershipsOf } from './memberships.ts'

/** Of one account. What happens to it is recorded in no more. */
const recordedWorkspacesMax = 50

/** What has changed of the account, beside what names it. */
export type AccountChange = { readonly before: object; readonly after: object }
type Author = (membership: Membership) => Principal

/** Writes nothing where nothing has changed. */
export async function recordInWorkspaces(
  recorders: Recorders,
  tx: Db,
  { id, name }: Pick<Account, 'id' | 'name'>,
  { action, by, before, after }: AccountChange & { readonly action: Action; readonly by: Author },
): Promise<Notifications> {
  const memberships = isUnchanged(before, after) ? [] : await membershipsOf(tx, id)
  // In the same order each time, so that two of these do not wait for each other in a circle.
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

/** The person whose account it is, as the member that each workspace knows. */
export const byThemselves =
  (principal: Principal, { name }: Pick<Account, 'name'>): Author =>
  ({ memberId }) => ({ ...principal, kind: 'member', id: memberId, name })

/** Somebody of whom a workspace is to learn no more than this. */
export const bySomebody =
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
