// How the API of a workspace is doing. All figures are of this workspace's own keys and webhooks.
import type { AnsweredCounts, getUsageOverview, UsageOverview } from '#contract/usage.ts'
import { statusClasses } from '#contract/internal/reports.ts'
import { answeredCounts } from '../activity/answered-counts.ts'
import { findKeys, toApiKey } from '../api-keys/rows.ts'
import type { Db, Handler } from '../execution/handler.ts'
import { keyRisks } from './key-risks.ts'

const hourMs = 3_600_000
const hours = 24
/** Risks are those of so many keys, the newest. */
const keysMax = 5_000
/** A delivery that was accepted is looked for among so many of the newest. */
const recentDeliveriesMax = 1_000

export const overview: Handler<typeof getUsageOverview> = async (_input, { db, workspaceId, now }) => {
  const to = new Date((Math.floor(now.getTime() / hourMs) + 1) * hourMs)
  const from = new Date(to.getTime() - hours * hourMs)
  const keys = await findKeys(
    db,
    { workspaceId, revokedAt: null },
    { orderBy: { createdAt: 'desc' }, take: keysMax },
    now,
  )
  return {
    object: 'usage_overview',
    from: from.toISOString(),
    to: to.toISOString(),
    requests: await requestsSince(db, workspaceId, from),
    deliveries: await deliveriesSince(db, workspaceId, from),
    keys: keyRisks(
      keys.map((row) => toApiKey(row, now)),
      now,
    ),
    firstSteps: await firstSteps(db, workspaceId),
  }
}

async function requestsSince(db: Db, workspaceId: string, from: Date): Promise<AnsweredCounts> {
  const sums = await db.$queryRaw<{ sum: number }[]>`
    SELECT sum(counted.value)::float8 AS sum
    FROM api_key_activity, unnest(statuses || latency) WITH ORDINALITY AS counted(value, place)
    WHERE workspace_id = ${workspaceId}::uuid AND unit = 'hour' AND since >= ${from}
    GROUP BY counted.place ORDER BY counted.place`
  const counts = sums.map(({ sum }) => sum)
  return answeredCounts({
    statuses: counts.slice(0, statusClasses.length),
    latency: counts.slice(statusClasses.length),
  })
}

async function deliveriesSince(db: Db, workspaceId: string, from: Date): Promise<UsageOverview['deliveries']> {
  const [counts] = await db.$queryRaw<UsageOverview['deliveries'][]>`
    SELECT count(*) FILTER (WHERE status = 'delivered')::int AS delivered,
           count(*) FILTER (WHERE status = 'dead_letter')::int AS failed,
           count(*) FILTER (WHERE status IN ('pending', 'retrying'))::int AS pending
    FROM delivery WHERE workspace_id = ${workspaceId}::uuid AND created_at >= ${from}`
  if (counts === undefined) throw new Error('A count without a group has one row')
  return counts
}

async function firstSteps(db: Db, workspaceId: string): Promise<UsageOverview['firstSteps']> {
  const [steps] = await db.$queryRaw<UsageOverview['firstSteps'][]>`
    SELECT
      EXISTS (SELECT FROM api_key WHERE workspace_id = ${workspaceId}::uuid) AS "hasKey",
      EXISTS (
        SELECT FROM api_key WHERE workspace_id = ${workspaceId}::uuid AND last_used_at IS NOT NULL
      ) AS "hasCalled",
      EXISTS (SELECT FROM webhook WHERE workspace_id = ${workspaceId}::uuid AND deleted_at IS NULL) AS "hasWebhook",
      EXISTS (
        SELECT FROM (
          SELECT status FROM delivery WHERE workspace_id = ${workspaceId}::uuid
          ORDER BY created_at DESC LIMIT ${recentDeliveriesMax}::int
        ) AS recent WHERE status = 'delivered'
      ) AS "hasReceived"`
  if (steps === undefined) throw new Error('A query without a table has one row')
  return steps
}
