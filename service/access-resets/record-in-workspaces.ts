// What happens to an account stands in the audit log of each workspace where it is a member.
import type { Membership } from '#contract/account-schema.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Account } from '#prisma/generated/client.ts'
import { runChange } from '../execution/commit-change.ts'
import type { Db } from '../execution/handler.ts'
import type { Action, Notifications, Recorders } from '../execution/record-change.ts'
import { membershipsOf } from '../sessions/memberships.ts'

/** What has changed of the account, beside what names it. */
type Change = { readonly before: object; readonly after: object }

export async function recordInWorkspaces(
  recorders: Recorders,
  tx: Db,
  { id, name }: Pick<Account, 'id' | 'name'>,
  { action, by, before, after }: Change & { readonly action: Action; by(membership: Membership): Principal },
): Promise<Notifications> {
  const memberships = await membershipsOf(tx, id)
  // In the same order each time, so that two of these do not wait for each other in a circle.
  for (const membership of memberships.toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1))) {
    const { workspaceId } = membership
    const principal = { ...by(membership), workspaceId }
    const named = { object: 'account', id, name }
    await runChange(recorders, tx, { principal, workspaceId, action }, async ({ audit }) =>
      audit({ ...named, ...after }, { ...named, ...before }),
    )
  }
  return { notifications: [], keyChanges: [] }
}
