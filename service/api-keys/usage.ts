// Adds up the use of keys that gateways report.
import type { KeyUsage } from '#contract/internal/reports.ts'
import type { Db } from '../execution/handler.ts'

/**
 * One statement for all keys of a report; keys that do not exist any more are skipped. Rows are locked in the order of
 * their ids, whatever the order in the report, so that two reports of the same keys cannot deadlock.
 */
export async function addUsage(db: Db, usage: readonly KeyUsage[]): Promise<void> {
  const rows = JSON.stringify(usage)
  await db.$executeRaw`
    WITH report AS MATERIALIZED (
      SELECT key.workspace_id, key.id, u."requests", u."lastUsedAt", u."lastUsedIp", u."lastUsedUserAgent"
      FROM jsonb_to_recordset(${rows}::jsonb)
        AS u("keyId" uuid, "requests" int, "lastUsedAt" timestamptz, "lastUsedIp" text, "lastUsedUserAgent" text)
      JOIN api_key key ON key.id = u."keyId"
      ORDER BY key.workspace_id, key.id
      FOR NO KEY UPDATE OF key
    ), updated AS (
      UPDATE api_key SET last_used_at = report."lastUsedAt", last_used_ip = report."lastUsedIp", last_used_user_agent = report."lastUsedUserAgent"
      FROM report
      WHERE api_key.workspace_id = report.workspace_id AND api_key.id = report.id
        AND (api_key.last_used_at IS NULL OR api_key.last_used_at < report."lastUsedAt")
    )
    INSERT INTO api_key_usage (workspace_id, api_key_id, day, requests)
    SELECT workspace_id, id, ("lastUsedAt" AT TIME ZONE 'UTC')::date, "requests" FROM report ORDER BY workspace_id, id
    ON CONFLICT (workspace_id, api_key_id, day) DO UPDATE SET requests = api_key_usage.requests + excluded.requests`
}
