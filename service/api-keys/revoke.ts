import { apiKeyRevoked, type revokeApiKey } from '#contract/api-keys.ts'
import type { Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { findKey, lockKey, toApiKey } from './rows.ts'

export const revoke: Handler<typeof revokeApiKey> = async ({ id, expectedVersion }, call) => {
  const { db, workspaceId, actor, now, emit, audit, keysChanged } = call
  const before = await lockKey(db, workspaceId, id, now)
  if (before.revokedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  await db.apiKey.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { revokedAt: now, revokedBy: actor, version: before.version + 1, updatedAt: now },
  })
  const key = toApiKey(await findKey(db, workspaceId, id, now), now)
  emit(apiKeyRevoked, key)
  audit(key, toApiKey(before, now))
  keysChanged({ kind: 'api-key', id, version: key.version })
  return null
}
