// The record of a key that a gateway asks for by the hash of a secret, and caches.
import type { KeyRecord } from '#contract/internal/key-record.ts'
import type { Surface } from '#contract/surface.ts'
import type { Db } from '../execution/handler.ts'
import { rateLimitFromRow } from '../rate-limits/rows.ts'
import { policyFromRow } from '../key-policy/rows.ts'
import { toRefusals, violationsOf } from '../key-policy/violations.ts'

/** Returns null when no key has a secret with this SHA-256. */
export async function findByHash(db: Db, hash: Buffer<ArrayBuffer>): Promise<KeyRecord | null> {
  const secret = await db.apiKeySecret.findUnique({
    where: { hash },
    include: { apiKey: { include: { workspace: true, grants: { include: { workspace: true } } } } },
  })
  if (secret === null) return null
  const { apiKey } = secret
  const workspaces = apiKey.bound ? [apiKey.workspace] : apiKey.grants.map(({ workspace }) => workspace)
  const checked = { ...apiKey, secretCreatedAt: secret.createdAt }
  return {
    id: apiKey.id,
    version: apiKey.version,
    name: apiKey.name,
    bound: apiKey.bound,
    workspaces: workspaces.map((workspace) => ({
      id: workspace.id,
      version: workspace.version,
      suspended: workspace.suspendedAt !== null,
      refusals: toRefusals(violationsOf(checked, policyFromRow(workspace))),
      rateLimit: rateLimitFromRow(workspace),
    })),
    scopes: apiKey.scopes,
    surfaces: apiKey.surfaces as Surface[],
    ipAllowlist: apiKey.ipAllowlist,
    expiresAt: apiKey.expiresAt?.toISOString() ?? null,
    revokedAt: apiKey.revokedAt?.toISOString() ?? null,
    secret: { createdAt: secret.createdAt.toISOString(), expiresAt: secret.expiresAt?.toISOString() ?? null },
    maxAgeDays: apiKey.maxAgeDays,
    rateLimit: rateLimitFromRow(apiKey),
  }
}
