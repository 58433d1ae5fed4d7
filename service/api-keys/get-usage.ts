import type { ApiKeyUsage, OperationUse, getApiKeyUsage } from '#contract/usage.ts'
import type { Surface } from '#contract/surface.ts'
import { answeredCounts } from '../activity/answered-counts.ts'
import { spanUntil, usageIn } from '../activity/periods.ts'
import type { Handler } from '../execution/handler.ts'
import type { StoredOperations } from './activity.ts'
import { findKey } from './rows.ts'

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
