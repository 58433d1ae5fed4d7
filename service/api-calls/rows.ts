// Calls of keys in the database: written as gateways report them, read for the API log, and deleted when their time is
// over. A call belongs to the workspace that it named if its key may act there, else to the key's own; calls of keys
// that no longer exist are skipped.
import { callsKeptDays, type LoggedRequest } from '#contract/api-calls.ts'
import type { ReportedCall } from '#contract/internal/api-calls.ts'
import type { Surface } from '#contract/surface.ts'
import type { ApiCall as TableRow } from '#prisma/generated/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'
import { newIds } from '#runtime/new-id.ts'
import type { Db } from '../execution/call.ts'
import { isNotHeld } from '../execution/legal-hold-rows.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A call that a gateway could not report for longer, or that by its clock is yet to come, is not taken. */
export const reportedWithinMs = dayMs
const aheadMsMax = hourMs

const insertCalls = command(
  (calls: string) => Prisma.sql`
    INSERT INTO api_call (workspace_id, id, at, api_key_id, api_key_name, api_key_prefix, method, path, operation,
      surface, status, ms, ip, request_id, object_id, code, detail, left_out, expires_at)
    SELECT CASE WHEN may_act.there THEN c."workspaceId" ELSE key.workspace_id END, c.id, c.at, key.id, key.name,
      secret.prefix, c.method, c.path, c.operation, c.surface, c.status, c.ms, c.ip, c."requestId", c."objectId", c.code,
      c.detail, c."leftOut", c."expiresAt"
    FROM jsonb_to_recordset(${calls}::jsonb) AS c (
      id uuid, "keyId" uuid, "workspaceId" uuid, at timestamptz, method text, path text, operation text, surface text,
      status integer, ms float8, ip text, "requestId" text, "objectId" uuid, code text, detail text, "leftOut" integer,
      "expiresAt" timestamptz
    )
    JOIN api_key key ON key.id = c."keyId"
    CROSS JOIN LATERAL (
      SELECT coalesce(key.bound AND key.workspace_id = c."workspaceId", false) OR (NOT key.bound AND EXISTS (
        SELECT FROM api_key_workspace g
        WHERE g.home_workspace_id = key.workspace_id AND g.api_key_id = key.id AND g.workspace_id = c."workspaceId"
      )) AS there
    ) may_act
    LEFT JOIN LATERAL (
      SELECT s.prefix FROM api_key_secret s
      WHERE s.workspace_id = key.workspace_id AND s.api_key_id = key.id AND s.created_at <= c.at
      ORDER BY s.created_at DESC LIMIT 1
    ) secret ON true
    ORDER BY 1, 2`,
)

/** In one statement. In the order in which they came in, as far as their gateway knows. */
export async function recordCalls(db: Db, calls: readonly ReportedCall[], now: Date): Promise<void> {
  const believed = calls.filter(({ at }) => {
    const age = now.getTime() - Date.parse(at)
    return age <= reportedWithinMs && age >= -aheadMsMax
  })
  if (believed.length === 0) return
  const ids = newIds(believed.length, now)
  const ordered = believed.toSorted((a, b) => (a.at < b.at ? -1 : 1))
  const rows = ordered.map(({ isRead, ...call }, n) => ({ ...call, id: ids[n], expiresAt: expiryOf(call.at, isRead) }))
  await insertCalls(db, JSON.stringify(rows))
}

const expiryOf = (at: string, isRead: boolean): string =>
  new Date(Date.parse(at) + (isRead ? callsKeptDays.read : callsKeptDays.other) * dayMs).toISOString()

const deletedAtOnceMax = 5_000

/**
 * Deletes those whose time is over, but for those of a workspace with a legal hold. In batches, so that no statement
 * holds many rows for long.
 */
export async function deleteOutdatedCalls(db: Db, now: Date, max = deletedAtOnceMax): Promise<void> {
  for (let last = max; last === max;) last = await deleteBatch(db, now, max)
}

const deleteBatch = command(
  (now: Date, max: number) => Prisma.sql`
    DELETE FROM api_call WHERE (workspace_id, id) IN (
      SELECT c.workspace_id, c.id FROM api_call c WHERE c.expires_at < ${now} AND ${isNotHeld('c')}
      ORDER BY c.expires_at LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    )`,
)

export const toLoggedRequest = ({ expiresAt: _expiresAt, at, surface, ...row }: TableRow): LoggedRequest => ({
  ...row,
  object: 'logged_request',
  at: at.toISOString(),
  // Only what the contract takes is written there.
  surface: surface as Surface,
})
