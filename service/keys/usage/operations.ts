// Usage of the API: the overview of a workspace, and the counts and last requests of one key. The overview counts the
// workspace's own keys and webhooks only.
import type { Surface } from '#contract/surface.ts'
import type {
  ApiKeyUsage,
  OperationUse,
  getApiKeyUsage,
  AnsweredRequest,
  listApiKeyRequests,
  getUsageOverview,
} from '#contract/usage.ts'
import type { Handlers, Handler } from '../../execution/call.ts'
import { findKeys, toApiKey, findKey } from '../api-keys/rows.ts'
import { requestsSince, deliveriesSince, firstSteps, type StoredOperations } from './rows.ts'
import { answeredCounts, keyRisks, spanUntil, usageIn } from './rules.ts'

const hourMs = 3_600_000
const hours = 24
/** Risks are counted among so many of the newest keys. */
const keysMax = 5_000

const overview: Handler<typeof getUsageOverview> = async (_input, { db, workspaceId, now }) => {
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

const topOperationsMax = 20

const getUsage: Handler<typeof getApiKeyUsage> = async ({ id, by = 'day' }, { db, workspaceId, now }) => {
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

/** The operations with the most requests first. */
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

const listRequests: Handler<typeof listApiKeyRequests> = async ({ id }, { db, workspaceId, now }) => {
  await findKey(db, workspaceId, id, now)
  const kept = await db.apiKeyRequests.findUnique({ where: { workspaceId_apiKeyId: { workspaceId, apiKeyId: id } } })
  return { data: (kept?.requests ?? []) as AnsweredRequest[] }
}

export const usageHandlers = {
  'api-keys.usage': getUsage,
  'api-keys.requests': listRequests,
  'usage.overview': overview,
} satisfies Partial<Handlers>
