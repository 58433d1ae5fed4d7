import { apiKeyRotated, type rotateApiKey } from '#contract/api-keys.ts'
import type { Output } from '#contract/operation.ts'
import { policyFault } from '#contract/key-policy.ts'
import { keyLabel } from '#contract/principal.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import type { Call, Db, Handler } from '../execution/handler.ts'
import { refusedEverywhere } from '../key-policy/violations.ts'
import { findKey, insertSecret, judgedOf, lockKey, reachedBy, toApiKey, type KeyRow } from './rows.ts'
import { assertNotRevoked } from './rules.ts'

const hourMs = 3_600_000
const overlapHoursDefault = 24

export const rotate: Handler<typeof rotateApiKey> = ({ id, overlapHours }, call) => rotateKey(id, overlapHours, call)

/** Asked for in the settings, or by the key itself. */
export async function rotateKey(
  id: string,
  overlapHours = overlapHoursDefault,
  { db, workspaceId, now, emit, audit, keysChanged }: Call<typeof apiKeyRotated>,
): Promise<Output<typeof rotateApiKey>> {
  const before = await lockKey(db, workspaceId, id, now)
  assertNotRevoked(before.revokedAt)
  assertOfUse(before, now)
  await endOlderSecrets(db, workspaceId, id, new Date(now.getTime() + overlapHours * hourMs))
  const token = makeToken(keyLabel)
  await insertSecret(db, workspaceId, id, token, now)
  await db.apiKey.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { version: before.version + 1, updatedAt: now },
  })
  const key = toApiKey(await findKey(db, workspaceId, id, now), now)
  emit(apiKeyRotated, key)
  audit(key, toApiKey(before, now))
  keysChanged({ kind: 'api-key', id })
  return { ...key, secret: token.token }
}

/** A new secret would not make it so: the key is to be changed first. */
function assertOfUse(key: KeyRow, now: Date): void {
  const policies = reachedBy(key).map(({ policy }) => policy)
  const rule = refusedEverywhere(judgedOf(key), policies, now)
  if (rule !== null) throw policyFault(rule)
}

/** None may live longer than this overlap; those that end sooner still do. */
async function endOlderSecrets(db: Db, workspaceId: string, apiKeyId: string, expiresAt: Date): Promise<void> {
  await db.apiKeySecret.updateMany({
    where: { workspaceId, apiKeyId, OR: [{ expiresAt: null }, { expiresAt: { gt: expiresAt } }] },
    data: { expiresAt },
  })
}
