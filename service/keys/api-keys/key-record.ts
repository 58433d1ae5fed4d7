// The record of a key that gateways ask for by the hash of its secret, and cache.
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import type { Surface, ToolNames } from '#contract/surface.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../../execution/call.ts'
import { policyFromRow } from '../key-policy/rows.ts'
import { toRefusals, violationsOf } from '../key-policy/rules.ts'
import { rateLimitFromRow } from '../rate-limits/rules.ts'
import { withHolders } from './rows.ts'

const withKey = {
  apiKey: { include: { workspace: true, grants: { include: { workspace: true } } } },
} as const satisfies Prisma.ApiKeySecretInclude
type SecretWithKey = Prisma.ApiKeySecretGetPayload<{ include: typeof withKey }>

/** Returns null when no key has a secret with this SHA-256. */
export async function findByHash(db: Db, hash: Buffer<ArrayBuffer>): Promise<KeyRecord | null> {
  const secret = await db.apiKeySecret.findUnique({ where: { hash }, include: withKey })
  if (secret === null) return null
  const [apiKey = { ...secret.apiKey, isSuspended: false }] = await withHolders(db, [secret.apiKey])
  return recordOf(secret, apiKey.isSuspended)
}

/** Returns the records in the order of the hashes, null for each that no key has. */
export async function findByHashes(
  db: Db,
  hashes: readonly Buffer<ArrayBuffer>[],
): Promise<readonly (KeyRecord | null)[]> {
  const secrets = await db.apiKeySecret.findMany({ where: { hash: { in: [...hashes] } }, include: withKey })
  const keys = await withHolders(
    db,
    secrets.map(({ apiKey }) => apiKey),
  )
  const byHash = new Map(secrets.map((secret, at) => [hexOf(secret.hash), recordOf(secret, keys[at]?.isSuspended)]))
  return hashes.map((hash) => byHash.get(hexOf(hash)) ?? null)
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function recordOf(secret: SecretWithKey, suspended = false): KeyRecord {
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
      sandbox: workspace.sandbox,
    })),
    scopes: apiKey.scopes,
    surfaces: apiKey.surfaces as Surface[],
    toolNames: apiKey.toolNames as ToolNames,
    ipAllowlist: apiKey.ipAllowlist,
    expiresAt: apiKey.expiresAt?.toISOString() ?? null,
    revokedAt: apiKey.revokedAt?.toISOString() ?? null,
    suspended,
    secret: { createdAt: secret.createdAt.toISOString(), expiresAt: secret.expiresAt?.toISOString() ?? null },
    maxAgeDays: apiKey.maxAgeDays,
    rateLimit: rateLimitFromRow(apiKey),
  }
}
