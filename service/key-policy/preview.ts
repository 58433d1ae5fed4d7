// Whom a key policy would stop, told before it is saved.
import { codeOfRule, policyRules, type PolicyPreview, type PolicyRule } from '#contract/key-policy.ts'
import { policyPreviewKeysMax } from '#contract/size-limits.ts'
import type { Workspace } from '#contract/workspace-schema.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'
import { violationsOf, type Judged } from './violations.ts'

/** Keys that are read at once, however many a workspace has. */
const pageMax = 1_000

type Candidate = Judged & { readonly id: string }

/** Counted are keys that will be refused once all grace is over. */
export async function previewPolicy(db: Db, workspace: Workspace, now: Date): Promise<PolicyPreview> {
  const { allowUnboundKeys, requireIpAllowlist, requireExpiry, maxKeyAgeDays } = workspace.apiPolicyFrom
  const graceEnds = [allowUnboundKeys, requireIpAllowlist, requireExpiry, maxKeyAgeDays?.from ?? null]
  const at = new Date(Math.max(now.getTime(), ...graceEnds.map((end) => (end === null ? 0 : Date.parse(end)))))
  const stopped = new Map<PolicyRule, string[]>(policyRules.map((rule) => [rule, []]))
  let keys = 0
  for await (const key of keysReaching(db, workspace.id, now)) {
    const rules = violationsOf(key, workspace).filter(({ refusedFrom }) => refusedFrom <= at)
    if (rules.length > 0) keys += 1
    for (const { rule } of rules) stopped.get(rule)?.push(key.id)
  }
  return {
    keys,
    rules: [...stopped].map(([rule, ids]) => ({
      ...{ rule, code: codeOfRule[rule], keys: ids.length, keyIds: ids.slice(0, policyPreviewKeysMax) },
    })),
  }
}

/** Those that could be used in the workspace, oldest first. */
async function* keysReaching(db: Db, workspaceId: string, now: Date): AsyncGenerator<Candidate> {
  const where: Prisma.ApiKeyWhereInput = {
    revokedAt: null,
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    AND: { OR: [{ workspaceId, bound: true }, { grants: { some: { workspaceId } } }] },
  }
  let after: string | undefined
  do {
    const rows = await db.apiKey.findMany({
      where: { AND: [where, after === undefined ? {} : { id: { gt: after } }] },
      include: { secrets: { orderBy: { createdAt: 'desc' }, take: 1, select: { createdAt: true } } },
      ...{ orderBy: { id: 'asc' }, take: pageMax },
    })
    for (const { secrets, ...key } of rows) yield { ...key, secretCreatedAt: secrets[0]?.createdAt ?? key.createdAt }
    after = rows.length < pageMax ? undefined : rows.at(-1)?.id
  } while (after !== undefined)
}
