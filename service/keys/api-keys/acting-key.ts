// A key that something is done with after its call has ended, such as a job: may it still act, and what may it do?
import { Fault, insufficientScope } from '#contract/faults/fault.ts'
import { policyFault } from '#contract/key-policy.ts'
import { covers, type Scope } from '#contract/scopes.ts'
import type { Db } from '../../execution/call.ts'
import { policyFromRow } from '../key-policy/rows.ts'
import { rotateBy, violationsOf } from '../key-policy/rules.ts'
import { withHolders } from './rows.ts'

export type ActingKey = { readonly id: string; readonly name: string; readonly scopes: readonly string[] }

const included = {
  workspace: true,
  grants: { include: { workspace: true } },
  secrets: { orderBy: { createdAt: 'desc' }, take: 1 },
} as const

/** Throws what a call with the key would be refused with in this workspace. */
export async function keyActing(
  db: Db,
  id: string,
  {
    workspaceId,
    scopes,
    now,
  }: { readonly workspaceId: string; readonly scopes: readonly string[]; readonly now: Date },
): Promise<ActingKey> {
  const inWorkspace = [{ workspaceId }, { grants: { some: { workspaceId } } }]
  const row = await db.apiKey.findFirst({ where: { id, OR: inWorkspace }, include: included })
  if (row === null || row.revokedAt !== null) throw new Fault('api_key_revoked', 'The key was revoked.')
  if (row.expiresAt !== null && row.expiresAt <= now) throw new Fault('api_key_expired', 'The key has expired.')
  const workspace = (row.bound ? [row.workspace] : row.grants.map((grant) => grant.workspace)).find(
    (each) => each.id === workspaceId,
  )
  if (workspace === undefined)
    throw new Fault('workspace_not_allowed', 'The key no longer has access to this workspace.')
  if (workspace.suspendedAt !== null) throw new Fault('workspace_suspended', 'The workspace is suspended.')
  const [held] = await withHolders(db, [row])
  if (held?.isSuspended) throw new Fault('api_key_suspended', 'The member who owns the key is suspended.')
  const secretCreatedAt = row.secrets[0]?.createdAt ?? row.createdAt
  const checked = { ...row, secretCreatedAt }
  const refused = violationsOf(checked, policyFromRow(workspace)).find(({ refusedFrom }) => refusedFrom <= now)
  if (refused !== undefined) throw policyFault(refused.rule)
  const due = rotateBy(checked, row.maxAgeDays, [policyFromRow(workspace)])
  if (due !== null && due <= now) throw new Fault('api_key_rotation_required', 'The secret of the key is too old.')
  const lacking = scopes.find((scope) => !covers(row.scopes, scope as Scope))
  if (lacking !== undefined) throw insufficientScope(lacking)
  return { id: row.id, name: row.name, scopes: row.scopes }
}
