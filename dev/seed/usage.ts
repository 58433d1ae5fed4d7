// A week of usage, written into the tables while the tiers are stopped: what gateways and dispatchers would have
// counted.
import { attemptClasses, latencyBucketsCount, statusClasses } from '#contract/internal/reports.ts'
import type { Database } from '#prisma/client.ts'
import { addWebhookActivity } from '../../dispatcher/results/activity-rows.ts'
import { addActivity, addUsage } from '../../service/keys/usage/rows.ts'

const hourMs = 3_600_000
const hours = 7 * 24
/** By the hour of the day, UTC: programs call at night, people by day. */
const byHour = [6, 5, 4, 4, 5, 8, 14, 22, 34, 41, 44, 43, 38, 40, 45, 42, 36, 28, 20, 16, 13, 11, 9, 7]

type Used = {
  readonly workspaceId: string
  readonly keys: readonly { readonly id: string; readonly share: number; readonly surface: 'http' | 'mcp' }[]
  readonly webhooks: readonly { readonly id: string; readonly failing: boolean }[]
}

export async function writeUsage(db: Database, { workspaceId, keys, webhooks }: Used): Promise<void> {
  for (let ago = hours; ago > 0; ago -= 1) {
    const until = new Date(Date.now() - ago * hourMs)
    const calls = byHour[until.getUTCHours()]! * (isWeekend(until) ? 0.3 : 1)
    await addUsage(
      db,
      keys.map(({ id, share }) => ({
        keyId: id,
        requests: Math.round(calls * share) + 1,
        lastUsedAt: until.toISOString(),
        lastUsedIp: '192.0.2.17',
        lastUsedUserAgent: 'airbyte/1.8',
      })),
    )
    await addActivity(
      db,
      keys.map(({ id, share, surface }) => keyHour(id, surface, until, Math.round(calls * share), workspaceId)),
    )
    await addWebhookActivity(
      db,
      webhooks.map(({ id, failing }) => ({
        workspaceId,
        webhookId: id,
        until: until.toISOString(),
        statuses: attemptStatuses(Math.round(calls / 3), failing),
        latency: latencies(failing ? 0 : Math.round(calls / 3)),
      })),
    )
  }
}

function keyHour(keyId: string, surface: 'http' | 'mcp', until: Date, calls: number, workspaceId: string) {
  const failed = Math.floor(calls / 15)
  const statuses = [calls - failed, Math.floor(calls / 8), failed, calls > 40 ? 1 : 0, calls % 17 === 3 ? 1 : 0]
  const operation = surface === 'mcp' ? 'search.query' : 'tasks.list'
  return {
    keyId,
    until: until.toISOString(),
    statuses: statuses.slice(0, statusClasses.length),
    latency: latencies(calls),
    operations: [
      { operation, surface, requests: calls + 1, failed },
      { operation: 'projects.list', surface, requests: Math.ceil(calls / 3) + 1, failed: 0 },
    ],
    requests: [200, 200, 404].map((status, n) => ({
      at: new Date(until.getTime() - n * 1_000).toISOString(),
      method: 'GET',
      path: '/api/v1/tasks',
      operation,
      surface,
      status,
      ms: 2.4 + 1.7 * n,
      ip: '192.0.2.17',
      requestId: `sample-${until.getTime()}-${n}`,
      workspaceId,
    })),
  }
}

const attemptStatuses = (attempts: number, failing: boolean): number[] =>
  attemptClasses.map((name) => {
    if (name === (failing ? 'status5xx' : 'status2xx')) return attempts
    return name === 'noAnswer' ? Math.floor(attempts / 12) : 0
  })

/** Most of them around 4 ms, few of them slow. */
const latencies = (count: number): number[] => {
  const shares = [0, 0.02, 0.12, 0.3, 0.26, 0.14, 0.08, 0.04, 0.02, 0.01, 0.01]
  return Array.from({ length: latencyBucketsCount }, (_, n) => Math.round(count * (shares[n] ?? 0)))
}

const isWeekend = (at: Date): boolean => [0, 6].includes(at.getUTCDay())
