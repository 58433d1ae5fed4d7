import type { ApiKeyUsage, OperationUse, getApiKeyUsage } from '#contract/api-key-usage.ts'
import { usageDays, usageHours } from '#contract/api-key-usage.ts'
import type { Surface } from '#contract/surface.ts'
import type { Handler } from '../execution/handler.ts'
import type { StoredOperations } from './activity.ts'
import { added, answeredCounts, noTallies, type Tallies } from './answered-counts.ts'
import { findKey } from './rows.ts'

const hourMs = 3_600_000
const spans = {
  hour: { periodMs: hourMs, count: usageHours },
  day: { periodMs: 24 * hourMs, count: usageDays },
} as const
const topOperationsMax = 20

export const getUsage: Handler<typeof getApiKeyUsage> = async ({ id, by = 'day' }, { db, workspaceId, now }) => {
  await findKey(db, workspaceId, id, now)
  const { periodMs, count } = spans[by]
  const to = (Math.floor(now.getTime() / periodMs) + 1) * periodMs
  const from = to - count * periodMs
  const rows = await db.apiKeyActivity.findMany({
    where: { workspaceId, unit: by, apiKeyId: id, since: { gte: new Date(from) } },
  })
  const tallies = new Map(
    rows.map(({ since, statuses, latency }): [number, Tallies] => [
      since.getTime(),
      { statuses: statuses.map(Number), latency: latency.map(Number) },
    ]),
  )
  const operations = operationsIn(rows.map((row) => row.operations as unknown as StoredOperations))
  return {
    object: 'api_key_usage',
    apiKeyId: id,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    total: answeredCounts([...tallies.values()].reduce(added, noTallies)),
    surfaces: surfacesOf(operations),
    operations: operations.slice(0, topOperationsMax),
    periods: Array.from({ length: count }, (_, n) => from + n * periodMs).map((start) => ({
      from: new Date(start).toISOString(),
      ...answeredCounts(tallies.get(start) ?? noTallies),
    })),
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
