// What the gateway asks of a key.
import type { KeyRecord, Surface } from '#contract/principal.ts'
import type { Db } from '../handler.ts'
import { stricterAge } from './rules.ts'

/** Null where no key has a secret with this SHA-256. */
export async function findKeyRecord(db: Db, hash: Buffer<ArrayBuffer>): Promise<KeyRecord | null> {
  const secret = await db.apiKeySecret.findUnique({
    where: { hash },
    include: { apiKey: { include: { workspace: true, grants: { include: { workspace: true } } } } },
  })
  if (secret === null) return null
  const { apiKey } = secret
  const workspaces = apiKey.bound ? [apiKey.workspace] : apiKey.grants.map(({ workspace }) => workspace)
  return {
    id: apiKey.id,
    name: apiKey.name,
    bound: apiKey.bound,
    workspaces: workspaces.map(({ id, suspendedAt }) => ({ id, suspended: suspendedAt !== null })),
    scopes: apiKey.scopes,
    surfaces: apiKey.surfaces as Surface[],
    ipAllowlist: apiKey.ipAllowlist,
    expiresAt: apiKey.expiresAt?.toISOString() ?? null,
    revokedAt: apiKey.revokedAt?.toISOString() ?? null,
    secret: { createdAt: secret.createdAt.toISOString(), expiresAt: secret.expiresAt?.toISOString() ?? null },
    maxAgeDays: workspaces.map(({ maxKeyAgeDays }) => maxKeyAgeDays).reduce(stricterAge, apiKey.maxAgeDays),
  }
}
