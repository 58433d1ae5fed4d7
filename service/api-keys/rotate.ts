import { apiKeyRotated, type rotateApiKey } from '#contract/api-keys.ts'
import { keyLabel } from '#contract/principal.ts'
import { makeToken } from '#runtime/tokens.ts'
import type { Handler } from '../handler.ts'
import { findKey, insertSecret, lockKey, toApiKey } from './rows.ts'
import { assertNotRevoked } from './rules.ts'

const hourMs = 3_600_000

export const rotate: Handler<typeof rotateApiKey> = async (
  { id, overlapHours = 24 },
  { db, workspaceId, now, emit, audit, keysChanged },
) => {
  const before = await lockKey(db, workspaceId, id, now)
  assertNotRevoked(before.revokedAt)
  const overlapEnd = new Date(now.getTime() + overlapHours * hourMs)
  // Of the older secrets none may live longer than this overlap; those that end sooner still do.
  await db.apiKeySecret.updateMany({
    where: { workspaceId, apiKeyId: id, OR: [{ expiresAt: null }, { expiresAt: { gt: overlapEnd } }] },
    data: { expiresAt: overlapEnd },
  })
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
