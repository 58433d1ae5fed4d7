// The usage of keys: adds up what gateways report, reads sums, and deletes counts that have been kept long enough. The
// figures of a key belong to its home workspace, whichever workspace its calls went to; no other can read them.
import { statusClasses, type KeyUsage, type KeyActivity, type PreviousSecretUse } from '#contract/internal/reports.ts'
import type { Surface } from '#contract/surface.ts'
import { keptRequestsMax, usageDays, usageHours, type AnsweredCounts, type UsageOverview } from '#contract/usage.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../../execution/call.ts'
import { answeredCounts, type Unit } from './rules.ts'

/**
 * Adds up how the requests of keys were answered. Keys that no longer exist are skipped. Rows are written in the order
 * of their keys, so that two reports cannot deadlock.
 */
export async function addActivity(db: Db, activity: readonly KeyActivity[]): Promise<void> {
  await addCounts(db, activity)
  const withRequests = activity.filter(({ requests }) => requests.length > 0)
  if (withRequests.length > 0) await addRequests(db, withRequests)
}

const insertCounts = command(
  (rows: string) => Prisma.sql`
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
      )`,
)

async function addCounts(db: Db, activity: readonly KeyActivity[]): Promise<void> {
  const rows = JSON.stringify(
    activity.map(({ requests: _listed, operations, ...counts }) => ({
      ...counts,
      operations: byOperation(operations),
    })),
  )
  await insertCounts(db, rows)
}

/** The stored form: `[requests, failed]` by surface and the name of an operation or a tool. */
export type StoredOperations = Readonly<Record<`${Surface} ${string}`, readonly [number, number]>>

const byOperation = (operations: KeyActivity['operations']): StoredOperations =>
  Object.fromEntries(
    operations.map(({ operation, surface, requests, failed }) => [`${surface} ${operation}`, [requests, failed]]),
  )

const insertRequests = command(
  (rows: string) => Prisma.sql`
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
      )`,
)

async function addRequests(db: Db, activity: readonly KeyActivity[]): Promise<void> {
  const rows = JSON.stringify(
    activity.map(({ keyId, until, requests }) => ({ keyId, until, requests: requests.toSorted(newestFirst) })),
  )
  await insertRequests(db, rows)
}

type At = { readonly at: string }
const newestFirst = (a: At, b: At): number => (a.at < b.at ? 1 : -1)

const insertUsage = command(
  (rows: string) => Prisma.sql`
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
    ON CONFLICT (workspace_id, api_key_id, day) DO UPDATE SET requests = api_key_usage.requests + excluded.requests`,
)

/**
 * Adds up the use of keys, in one statement for a report. Keys that no longer exist are skipped. Rows are locked in the
 * order of their ids, so that two reports cannot deadlock.
 */
export async function addUsage(db: Db, usage: readonly KeyUsage[]): Promise<void> {
  const rows = JSON.stringify(usage)
  await insertUsage(db, rows)
}

const updatePreviousSecretUse = command(
  (rows: string) => Prisma.sql`
    WITH report AS MATERIALIZED (
      SELECT key.workspace_id, key.id, u."requests", u."lastUsedAt", u."lastUsedIp"
      FROM jsonb_to_recordset(${rows}::jsonb)
        AS u("keyId" uuid, "requests" int, "lastUsedAt" timestamptz, "lastUsedIp" text)
      JOIN api_key key ON key.id = u."keyId"
      WHERE u."lastUsedAt" > (
        SELECT max(created_at) FROM api_key_secret WHERE workspace_id = key.workspace_id AND api_key_id = key.id
      )
      ORDER BY key.workspace_id, key.id
      FOR NO KEY UPDATE OF key
    )
    UPDATE api_key SET
      previous_secret_requests = api_key.previous_secret_requests + report."requests",
      previous_secret_last_used_at = greatest(api_key.previous_secret_last_used_at, report."lastUsedAt"),
      previous_secret_last_used_ip = CASE
        WHEN api_key.previous_secret_last_used_at > report."lastUsedAt" THEN api_key.previous_secret_last_used_ip
        ELSE report."lastUsedIp"
      END
    FROM report WHERE api_key.workspace_id = report.workspace_id AND api_key.id = report.id`,
)

/** Leaves out what is told too late: of secrets that were replaced by a rotation before the last. */
export async function addPreviousSecretUse(db: Db, usage: readonly PreviousSecretUse[]): Promise<void> {
  await updatePreviousSecretUse(db, JSON.stringify(usage))
}

/** A successful delivery is searched for among so many of the newest. */
const recentDeliveriesMax = 1_000

const sumsSince = query(
  { sum: column.float },
  (workspaceId: string, from: Date) => Prisma.sql`
    SELECT sum(counted.value)::float8 AS sum
    FROM api_key_activity, unnest(statuses || latency) WITH ORDINALITY AS counted(value, place)
    WHERE workspace_id = ${workspaceId}::uuid AND unit = 'hour' AND since >= ${from}
    GROUP BY counted.place ORDER BY counted.place`,
)

export async function requestsSince(db: Db, workspaceId: string, from: Date): Promise<AnsweredCounts> {
  const sums = await sumsSince(db, workspaceId, from)
  const counts = sums.map(({ sum }) => sum)
  return answeredCounts({
    statuses: counts.slice(0, statusClasses.length),
    latency: counts.slice(statusClasses.length),
  })
}

const countDeliveriesSince = query(
  { delivered: column.int, failed: column.int, pending: column.int, retrying: column.int },
  (workspaceId: string, from: Date) => Prisma.sql`
    SELECT count(*) FILTER (WHERE status = 'delivered')::int AS delivered,
           count(*) FILTER (WHERE status = 'dead_letter')::int AS failed,
           count(*) FILTER (WHERE status IN ('pending', 'retrying'))::int AS pending,
           count(*) FILTER (WHERE status = 'retrying')::int AS retrying
    FROM delivery WHERE workspace_id = ${workspaceId}::uuid AND created_at >= ${from}`,
)

export async function deliveriesSince(db: Db, workspaceId: string, from: Date): Promise<UsageOverview['deliveries']> {
  const [counts] = await countDeliveriesSince(db, workspaceId, from)
  if (counts === undefined) throw new Error('A count without a group has one row')
  return counts
}

/** Keys and calls count from when a person is there on: before that, they are the sample data's of the first start. */
const stepsTaken = query(
  { hasKey: column.bool, hasCalled: column.bool, hasWebhook: column.bool, hasReceived: column.bool },
  (workspaceId: string) => Prisma.sql`
    WITH people AS (
      SELECT coalesce(min(created_at), '-infinity') AS since FROM member WHERE workspace_id = ${workspaceId}::uuid
    )
    SELECT
      EXISTS (
        SELECT FROM api_key, people WHERE workspace_id = ${workspaceId}::uuid AND created_at >= since
      ) AS "hasKey",
      EXISTS (
        SELECT FROM api_key, people WHERE workspace_id = ${workspaceId}::uuid AND last_used_at >= since
      ) AS "hasCalled",
      EXISTS (SELECT FROM webhook WHERE workspace_id = ${workspaceId}::uuid AND deleted_at IS NULL) AS "hasWebhook",
      EXISTS (
        SELECT FROM (
          SELECT status FROM delivery WHERE workspace_id = ${workspaceId}::uuid
          ORDER BY created_at DESC LIMIT ${recentDeliveriesMax}::int
        ) AS recent WHERE status = 'delivered'
      ) AS "hasReceived"`,
)

export async function firstSteps(db: Db, workspaceId: string): Promise<UsageOverview['firstSteps']> {
  const [steps] = await stepsTaken(db, workspaceId)
  if (steps === undefined) throw new Error('A query without a table has one row')
  return steps
}

const batchMax = 5_000

/** Last requests hold IP addresses, so those of an unused key are deleted. */
const requestsKeptDays = usageDays

/** Longer than is shown, so that the oldest shown period is complete. */
const keptHours: Readonly<Record<Unit, number>> = { hour: usageHours + 1, day: (usageDays + 5) * 24 }

const deleteRequestsBatch = command(
  (now: Date) => Prisma.sql`
      DELETE FROM api_key_requests WHERE (workspace_id, api_key_id) IN (
        SELECT workspace_id, api_key_id FROM api_key_requests WHERE until < ${hoursBefore(now, requestsKeptDays * 24)}
        ORDER BY until LIMIT ${batchMax}::int FOR UPDATE SKIP LOCKED
      )`,
)

const deleteUsageBatch = command(
  (now: Date) => Prisma.sql`
      DELETE FROM api_key_usage WHERE (workspace_id, api_key_id, day) IN (
        SELECT workspace_id, api_key_id, day FROM api_key_usage WHERE day < ${hoursBefore(now, keptHours.day)}
        LIMIT ${batchMax}::int FOR UPDATE SKIP LOCKED
      )`,
)

export async function deleteOutdatedActivity(db: Database, now: Date): Promise<void> {
  await deleteOutdatedCounts(db, 'api_key_activity', now)
  await inBatches(() => deleteRequestsBatch(db, now))
  await inBatches(() => deleteUsageBatch(db, now))
}

const tables = {
  api_key_activity: Prisma.raw('api_key_id'),
  webhook_activity: Prisma.raw('webhook_id'),
} as const

export async function deleteOutdatedCounts(db: Database, table: keyof typeof tables, now: Date): Promise<void> {
  for (const unit of ['hour', 'day'] as const) await deleteBefore(db, table, unit, hoursBefore(now, keptHours[unit]))
}

const deleteCountsBatch = command(
  (name: Prisma.Sql, id: Prisma.Sql, unit: Unit, before: Date) => Prisma.sql`
      DELETE FROM ${name} WHERE (workspace_id, unit, ${id}, since) IN (
        SELECT workspace_id, unit, ${id}, since FROM ${name} WHERE unit = ${unit} AND since < ${before}
        ORDER BY since LIMIT ${batchMax}::int FOR UPDATE SKIP LOCKED
      )`,
  [[Prisma.raw('api_key_activity'), Prisma.raw('api_key_id'), 'hour', new Date()]],
)

function deleteBefore(db: Database, table: keyof typeof tables, unit: Unit, before: Date): Promise<void> {
  const [name, id] = [Prisma.raw(table), tables[table]]
  return inBatches(() => deleteCountsBatch(db, name, id, unit, before))
}

const hoursBefore = (now: Date, hours: number): Date => new Date(now.getTime() - hours * 3_600_000)

/** Deletes in batches, so that no statement holds many rows for long. */
async function inBatches(deleteBatch: () => Promise<number>): Promise<void> {
  for (let last = batchMax; last === batchMax;) last = await deleteBatch()
}

// Each report of a gateway has an id, so that one that comes twice is counted once.

/** Changes nothing when the report is known. */
export const insertReport = command(
  (id: string) => Prisma.sql`INSERT INTO gateway_report (id) VALUES (${id}::uuid) ON CONFLICT DO NOTHING`,
)

export const deleteReports = command(
  (keptHours: number, max: number) => Prisma.sql`
    DELETE FROM gateway_report WHERE id IN (
      SELECT id FROM gateway_report WHERE received_at < now() - ${keptHours}::int * interval '1 hour'
      ORDER BY received_at LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    )`,
)
