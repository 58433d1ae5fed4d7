import { apiKeyRotated, type rotateApiKey, secretLabel } from '#contract/api-keys.ts'
import type { Output } from '#contract/operation.ts'
import { policyFault } from '#contract/key-policy.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import type { Call, Db, Handler } from '../execution/handler.ts'
import { refusedEverywhere } from '../key-policy/violations.ts'
import { findKey, insertSecret, checkedKey, lockKey, workspacesOf, toApiKey, type KeyRow } from './rows.ts'
import { assertInReach, assertNotRevoked } from './rules.ts'

const hourMs = 3_600_000
const overlapHoursDefault = 24

export const rotate: Handler<typeof rotateApiKey> = ({ id, overlapHours }, call) => rotateKey(id, overlapHours, call)

/** For `api-keys.rotate` (settings) and for `me.rotate` (the key itself). */
export async function rotateKey(
  id: string,
  overlapHours = overlapHoursDefault,
  { db, principal, workspaceId, now, emit, audit, keysChanged }: Call<typeof apiKeyRotated>,
): Promise<Output<typeof rotateApiKey>> {
  const before = await lockKey(db, workspaceId, id, now)
  assertInReach(principal, before)
  assertNotRevoked(before.revokedAt)
  assertUsable(before, now)
  await endOlderSecrets(db, workspaceId, id, new Date(now.getTime() + overlapHours * hourMs))
  const token = makeToken(secretLabel)
  await insertSecret(db, workspaceId, id, token, now)
  await db.apiKey.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { version: before.version + 1, updatedAt: now },
  })
  const key = toApiKey(await findKey(db, workspaceId, id, now), now)
  emit(apiKeyRotated, key)
  audit(key, toApiKey(before, now))
  keysChanged({ kind: 'api-key', id, version: key.version })
  return { ...key, secret: token.token }
}

/** Throws the policy's fault when no workspace would accept the key even with a new secret: it must be updated first. */
function assertUsable(key: KeyRow, now: Date): void {
  const policies = workspacesOf(key).map(({ policy }) => policy)
  const rule = refusedEverywhere(checkedKey(key), policies, now)
  if (rule !== null) throw policyFault(rule)
}

/** An older secret lives no longer than this overlap; one that ends sooner still does. */
async function endOlderSecrets(db: Db, workspaceId: string, apiKeyId: string, expiresAt: Date): Promise<void> {
  await db.apiKeySecret.updateMany({
    where: { workspaceId, apiKeyId, OR: [{ expiresAt: null }, { expiresAt: { gt: expiresAt } }] },
    data: { expiresAt },
  })
}
