// The keys that a changed policy would refuse, shown before it is saved (`workspaces.update` with `dryRun`).
import {
  codeOfRule,
  policyRules,
  policyPreviewKeysMax,
  type PolicyPreview,
  type PolicyRule,
  type StoppedKey,
} from '#contract/key-policy.ts'
import type { Db } from '../../execution/call.ts'
import { usableKeys } from './rows.ts'
import { stoppedKey, type Policy } from './rules.ts'

type Workspace = Policy & { readonly id: string }

/** Counts the keys that will be refused once every grace has ended. */
export async function previewPolicy(
  db: Db,
  before: Policy,
  after: Workspace,
  now: Date,
): Promise<Pick<PolicyPreview, 'keys' | 'rules' | 'stopped'>> {
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
      rule,
      code: codeOfRule[rule],
      keys: ids.length,
      keyIds: ids.slice(0, policyPreviewKeysMax),
    })),
    stopped,
  }
}
