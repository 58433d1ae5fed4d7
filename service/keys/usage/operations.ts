import type { Handlers, Db, Handler } from '../../execution/handler.ts'
import type {
  AnsweredCounts,
  ApiKeyUsage,
  OperationUse,
  getApiKeyUsage,
  AnsweredRequest,
  listApiKeyRequests,
} from '#contract/api-key-usage.ts'
import { statusClasses } from '#contract/internal/key-activity.ts'
import type { getUsageOverview, UsageOverview } from '#contract/usage.ts'
import { answeredCounts, keyRisks, spanUntil, usageIn } from './rules.ts'
import { findKeys, toApiKey, findKey } from '../api-keys/rows.ts'
import type { Surface } from '#contract/surface.ts'
import type { StoredOperations } from './rows.ts'

// How the API of a workspace is doing. All figures are of this workspace's own keys and webhooks.

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

const topOperationsMax = 20

export const getUsage: Handler<typeof getApiKeyUsage> = async ({ id, by = 'day' }, { db, workspaceId, now }) => {
  await findKey(db, workspaceId, id, now)
  const span = spanUntil(now, by)
  const rows = await db.apiKeyActivity.findMany({
    where: { workspaceId, unit: by, apiKeyId: id, since: { gte: span.from } },
  })
  const operations = operationsIn(rows.map((row) => row.operations as unknown as StoredOperations))
  return {
    object: 'api_key_usage',
    apiKeyId: id,
    ...usageIn(span, rows, answeredCounts),
    surfaces: surfacesOf(operations),
    operations: operations.slice(0, topOperationsMax),
  }
}

/** Those with the most requests first. */
function operationsIn(stored: readonly StoredOperations[]): OperationUse[] {
  const all = stored.flatMap((each) => Object.entries(each))
  return [...Map.groupBy(all, ([name]) => name)]
    .map(([name, entries]) => ({
      operation: name.slice(name.indexOf(' ') + 1),
      surface: name.slice(0, name.indexOf(' ')) as Surface,
      requests: sum(entries.map(([, [requests]]) => requests)),
      failed: sum(entries.map(([, [, failed]]) => failed)),
    }))
    .toSorted((a, b) => b.requests - a.requests || (a.operation < b.operation ? -1 : 1))
}

const surfacesOf = (operations: readonly OperationUse[]): ApiKeyUsage['surfaces'] =>
  [...Map.groupBy(operations, ({ surface }) => surface)]
    .map(([surface, its]) => ({
      surface,
      requests: sum(its.map(({ requests }) => requests)),
      failed: sum(its.map(({ failed }) => failed)),
    }))
    .toSorted((a, b) => (a.surface < b.surface ? -1 : 1))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

export const listRequests: Handler<typeof listApiKeyRequests> = async ({ id }, { db, workspaceId, now }) => {
  await findKey(db, workspaceId, id, now)
  const kept = await db.apiKeyRequests.findUnique({ where: { workspaceId_apiKeyId: { workspaceId, apiKeyId: id } } })
  return { data: (kept?.requests ?? []) as AnsweredRequest[] }
}

export const usageHandlers = {
  'api-keys.usage': getUsage,
  'api-keys.requests': listRequests,
  'usage.overview': overview,
} satisfies Partial<Handlers>
