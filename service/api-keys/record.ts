// What the gateway asks of a key, and what it reports back.
import type { KeyRecord, KeyUsage, Surface } from '#contract/principal.ts'
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

/** One statement for all keys of a report. A key that is gone by now is passed over. */
export async function addUsage(db: Db, usage: readonly KeyUsage[]): Promise<void> {
  const rows = JSON.stringify(usage)
  await db.$executeRaw`
    WITH report AS (
      SELECT key.workspace_id, key.id, u."requests", u."lastUsedAt", u."lastUsedIp", u."lastUsedUserAgent"
      FROM jsonb_to_recordset(${rows}::jsonb)
        AS u("keyId" uuid, "requests" int, "lastUsedAt" timestamptz, "lastUsedIp" text, "lastUsedUserAgent" text)
      JOIN api_key key ON key.id = u."keyId"
    ), touched AS (
      UPDATE api_key SET last_used_at = report."lastUsedAt", last_used_ip = report."lastUsedIp", last_used_user_agent = report."lastUsedUserAgent"
      FROM report
      WHERE api_key.workspace_id = report.workspace_id AND api_key.id = report.id
        AND (api_key.last_used_at IS NULL OR api_key.last_used_at < report."lastUsedAt")
    )
    INSERT INTO api_key_usage (workspace_id, api_key_id, day, requests)
    SELECT workspace_id, id, ("lastUsedAt" AT TIME ZONE 'UTC')::date, "requests" FROM report
    ON CONFLICT (workspace_id, api_key_id, day) DO UPDATE SET requests = api_key_usage.requests + excluded.requests`
}
