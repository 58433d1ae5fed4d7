// Adds up how keys' requests were answered, as gateways report it, and deletes what has been kept long enough. Figures of
// a key belong to the workspace in which it was made, wherever its calls went: they are written by its home, and there is
// no way to ask for them from another.
import { keptRequestsMax, usageDays } from '#contract/usage.ts'
import type { KeyActivity } from '#contract/internal/reports.ts'
import type { Surface } from '#contract/surface.ts'
import type { Database } from '#prisma/client.ts'
import { deleteOutdatedCounts, hoursBefore, inBatches, keptHours } from '../activity/delete-outdated.ts'
import type { Db } from '../execution/handler.ts'

const batchMax = 5_000
/** Last requests hold addresses: those of a key that nobody uses any more go. */
const requestsKeptDays = usageDays

/**
 * Keys that do not exist any more are skipped. Rows are written in the order of their keys, so that two reports of the
 * same keys cannot deadlock.
 */
export async function addActivity(db: Db, activity: readonly KeyActivity[]): Promise<void> {
  await addCounts(db, activity)
  const withRequests = activity.filter(({ requests }) => requests.length > 0)
  if (withRequests.length > 0) await addRequests(db, withRequests)
}

async function addCounts(db: Db, activity: readonly KeyActivity[]): Promise<void> {
  const rows = JSON.stringify(
    activity.map(({ requests: _listed, operations, ...counts }) => ({
      ...counts,
      operations: byOperation(operations),
    })),
  )
  await db.$executeRaw`
    INSERT INTO api_key_activity AS kept (workspace_id, unit, api_key_id, since, statuses, latency, operations)
    SELECT key.workspace_id, span.unit, key.id, date_trunc(span.unit, a."until", 'UTC'), a."statuses", a."latency", a."operations"
    FROM jsonb_to_recordset(${rows}::jsonb)
      AS a("keyId" uuid, "until" timestamptz, "statuses" bigint[], "latency" bigint[], "operations" jsonb)
    JOIN api_key key ON key.id = a."keyId"
    CROSS JOIN (VALUES ('day'), ('hour')) AS span(unit)
    ORDER BY key.workspace_id, span.unit, key.id
    ON CONFLICT (workspace_id, unit, api_key_id, since) DO UPDATE SET
      statuses = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(kept.statuses, excluded.statuses) AS n(a, b)),
      latency = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(kept.latency, excluded.latency) AS n(a, b)),
      operations = (
        SELECT coalesce(jsonb_object_agg(name, counts), '{}') FROM (
          SELECT name, jsonb_build_array(sum((one ->> 0)::bigint), sum((one ->> 1)::bigint)) AS counts
          FROM (SELECT * FROM jsonb_each(kept.operations) UNION ALL SELECT * FROM jsonb_each(excluded.operations)) AS o(name, one)
          GROUP BY name
        ) AS added
      )`
}

/** How they are stored: `[requests, failed]` by surface and name, which may be that of an operation and of a tool. */
export type StoredOperations = Readonly<Record<`${Surface} ${string}`, readonly [number, number]>>

const byOperation = (operations: KeyActivity['operations']): StoredOperations =>
  Object.fromEntries(
    operations.map(({ operation, surface, requests, failed }) => [`${surface} ${operation}`, [requests, failed]]),
  )

async function addRequests(db: Db, activity: readonly KeyActivity[]): Promise<void> {
  const rows = JSON.stringify(
    activity.map(({ keyId, until, requests }) => ({ keyId, until, requests: requests.toSorted(newestFirst) })),
  )
  await db.$executeRaw`
    INSERT INTO api_key_requests AS kept (workspace_id, api_key_id, requests, until)
    SELECT key.workspace_id, key.id, a."requests", a."until"
    FROM jsonb_to_recordset(${rows}::jsonb) AS a("keyId" uuid, "until" timestamptz, "requests" jsonb)
    JOIN api_key key ON key.id = a."keyId"
    ORDER BY key.workspace_id, key.id
    ON CONFLICT (workspace_id, api_key_id) DO UPDATE SET
      until = greatest(kept.until, excluded.until),
      requests = (
        SELECT jsonb_agg(one ORDER BY one ->> 'at' DESC) FROM (
          SELECT one FROM jsonb_array_elements(kept.requests || excluded.requests) AS each(one)
          ORDER BY one ->> 'at' DESC LIMIT ${keptRequestsMax}::int
        ) AS newest
      )`
}

type At = { readonly at: string }
const newestFirst = (a: At, b: At): number => (a.at < b.at ? 1 : -1)

export async function deleteOutdatedActivity(db: Database, now: Date): Promise<void> {
  await deleteOutdatedCounts(db, 'api_key_activity', now)
  await inBatches(
    batchMax,
    () => db.$executeRaw`
      DELETE FROM api_key_requests WHERE (workspace_id, api_key_id) IN (
        SELECT workspace_id, api_key_id FROM api_key_requests WHERE until < ${hoursBefore(now, requestsKeptDays * 24)}
        ORDER BY until LIMIT ${batchMax}::int FOR UPDATE SKIP LOCKED
      )`,
  )
  await inBatches(
    batchMax,
    () => db.$executeRaw`
      DELETE FROM api_key_usage WHERE (workspace_id, api_key_id, day) IN (
        SELECT workspace_id, api_key_id, day FROM api_key_usage WHERE day < ${hoursBefore(now, keptHours.day)}
        LIMIT ${batchMax}::int FOR UPDATE SKIP LOCKED
      )`,
  )
}
