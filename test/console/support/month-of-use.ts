// What a key was used for, as the service would have it after a month of calls.
import { latencyBucketsCount } from '#contract/internal/reports.ts'
import type { Database } from '#prisma/client.ts'
import { addActivity } from '../../../service/keys/usage/rows.ts'

const dayMs = 86_400_000

/** Thirty days of requests, the last of them just now, with so many good ones; fewer at the ends of weeks. */
export async function useForAMonth(db: Database, keyId: string, workspaceId: string, good = 20): Promise<void> {
  for (let day = 29; day >= 0; day -= 1) {
    const until = new Date(Date.now() - day * dayMs).toISOString()
    const request = { method: 'GET', path: '/api/v1/tasks', operation: 'tasks.list', surface: 'http' } as const
    await addActivity(db, [
      {
        keyId,
        until,
        statuses: [goodOf(day, good), 1, 2, 1, day % 7 === 0 ? 1 : 0],
        latency: latencyOf(day),
        operations: [
          { operation: 'tasks.list', surface: 'http', requests: 20, failed: 3 },
          { operation: 'projects.list', surface: 'mcp', requests: 4, failed: 0 },
        ],
        requests: [200, 304, 404, 429, 500].map((status, n) => ({
          ...request,
          at: new Date(Date.parse(until) - n * 1_000).toISOString(),
          status,
          ms: 2.5 * n + 0.4,
          ip: '192.0.2.1',
          requestId: `request-${day}-${n}`,
          workspaceId,
        })),
      },
    ])
  }
}

const goodOf = (day: number, good: number): number =>
  Math.round((good - (day * good) / 60) * (day % 7 === 1 || day % 7 === 2 ? 0.4 : 1))

/** A little slower on some days. */
const latencyOf = (day: number): number[] =>
  Array.from({ length: latencyBucketsCount }, (_, n) => (n > 2 && n < 9 + (day % 5 === 3 ? 1 : 0) ? 2 : 0))
