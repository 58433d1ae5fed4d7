import { apiKeyRevoked, type revokeApiKey } from '#contract/api-keys.ts'
import type { Call, Handler } from '../execution/call.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { findKeys, lockKey, toApiKey, type KeyRow } from './rows.ts'

export const revoke: Handler<typeof revokeApiKey> = async ({ id, expectedVersion }, call) => {
  const before = await lockKey(call.db, call.workspaceId, id, call.now)
  if (before.revokedAt !== null) return null
  assertVersion(before, expectedVersion, call)
  await revokeKeys([before], call)
  return null
}

/** All of these, which are not revoked yet, in one statement. */
export async function revokeKeys(before: readonly KeyRow[], call: Call<typeof apiKeyRevoked>): Promise<void> {
  const { db, workspaceId, actor, now, emit, audit, keysChanged } = call
  const where = { workspaceId, id: { in: before.map(({ id }) => id) } }
  await db.apiKey.updateMany({
    where,
    data: { revokedAt: now, revokedBy: actor, version: { increment: 1 }, updatedAt: now },
  })
  const after = new Map((await findKeys(db, where, {}, now)).map((row) => [row.id, toApiKey(row, now)]))
  for (const row of before) {
    const key = after.get(row.id)
    if (key === undefined) continue
    emit(apiKeyRevoked, key)
    audit(key, toApiKey(row, now))
    keysChanged({ kind: 'api-key', id: key.id, version: key.version })
  }
}
