// Which keys a changed policy would refuse, answered before it is saved (`workspaces.update` with `dryRun`).
import {
  codeOfRule,
  policyRules,
  type PolicyPreview,
  type PolicyRule,
  type StoppedKey,
  policyPreviewKeysMax,
} from '#contract/key-policy.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'
import { stoppedKey, type NamedKey } from './stopped-key.ts'
import type { Policy } from './violations.ts'

/** Keys that are read in one query. */
const pageMax = 1_000

type Workspace = Policy & { readonly id: string }

/** Counts the keys that will be refused once every grace has ended. */
export async function previewPolicy(db: Db, before: Policy, after: Workspace, now: Date): Promise<PolicyPreview> {
  const { allowUnboundKeys, requireIpAllowlist, requireExpiry, maxKeyAgeDays } = after.apiPolicyFrom
  const graceEnds = [allowUnboundKeys, requireIpAllowlist, requireExpiry, maxKeyAgeDays?.from ?? null]
  const graceOver = new Date(Math.max(now.getTime(), ...graceEnds.map((end) => (end === null ? 0 : Date.parse(end)))))
  const refused = new Map<PolicyRule, string[]>(policyRules.map((rule) => [rule, []]))
  const stopped: StoppedKey[] = []
  let keys = 0
  for await (const key of usableKeys(db, after.id, now)) {
    const found = stoppedKey(key, { before, after, now, graceOver })
    if (found === null) continue
    keys += 1
    if (keys <= policyPreviewKeysMax) stopped.push(found)
    for (const { rule } of found.rules) refused.get(rule)?.push(key.id)
  }
  return {
    keys,
    rules: [...refused].map(([rule, ids]) => ({
      ...{ rule, code: codeOfRule[rule], keys: ids.length, keyIds: ids.slice(0, policyPreviewKeysMax) },
    })),
    stopped,
  }
}

/** Keys that are neither revoked nor expired and may act in the workspace, oldest first. */
async function* usableKeys(db: Db, workspaceId: string, now: Date): AsyncGenerator<NamedKey> {
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
