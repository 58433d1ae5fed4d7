// The rule that members of a workspace need a second factor: from when it holds, and whom it would stop.
import { policyPreviewMembersMax, type PolicyPreview } from '#contract/key-policy.ts'
import type { Workspace } from '#contract/workspaces.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/call.ts'

type Rule = Pick<Workspace, 'requireSecondFactor' | 'requireSecondFactorFrom'>

const hourMs = 3_600_000

/** As with rules for keys: a grace that still runs is replaced by one that is given, and by nothing else. */
export function changeSecondFactorRule(
  before: Rule,
  isRequired: boolean | undefined,
  graceHours: number | undefined,
  now: Date,
): Rule {
  const { requireSecondFactor: wasRequired, requireSecondFactorFrom: earlier } = before
  if (isRequired === undefined) return { requireSecondFactor: wasRequired, requireSecondFactorFrom: earlier }
  if (!isRequired) return { requireSecondFactor: false, requireSecondFactorFrom: null }
  const isRunning = earlier !== null && new Date(earlier) > now
  if (wasRequired && !(isRunning && graceHours !== undefined))
    return { requireSecondFactor: true, requireSecondFactorFrom: earlier }
  const from = new Date(now.getTime() + (graceHours ?? 0) * hourMs)
  return { requireSecondFactor: true, requireSecondFactorFrom: from.toISOString() }
}

/** Members whose password alone signs in. Who has no password signs in at the provider, and complies. */
const withoutFactor = (workspaceId: string): Prisma.MemberWhereInput => ({
  workspaceId,
  status: 'active',
  deletedAt: null,
  account: { passwordHash: { not: null }, authenticator: null, passkeys: { none: {} } },
})

export async function previewMembers(
  db: Db,
  before: Rule,
  { id: workspaceId, requireSecondFactorFrom: from }: Rule & { readonly id: string },
  now: Date,
): Promise<Pick<PolicyPreview, 'members' | 'stoppedMembers'>> {
  if (from === null) return { members: 0, stoppedMembers: [] }
  const where = withoutFactor(workspaceId)
  const stopped = await db.member.findMany({
    where,
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: policyPreviewMembersMax,
  })
  const refused = before.requireSecondFactorFrom !== null && new Date(before.requireSecondFactorFrom) <= now
  return {
    members: await db.member.count({ where }),
    stoppedMembers: stopped.map((member) => ({ ...member, from, refused })),
  }
}
