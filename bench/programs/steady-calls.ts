// One GET again and again at a fixed rate, over several servers and callers in turn. Counts by the second what was
// served and what was refused for the rate limit; any other answer ends it.
import { Pool } from 'undici'
import { pace } from '../measure/pace.ts'
import { readPlan, report } from '../measure/plan.ts'
import { quantile } from '../report/figures.ts'

export type Plan = {
  readonly urls: readonly string[]
  readonly path: string
  /** Of each caller. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  /** Of all servers together. */
  readonly perSecond: number
  readonly seconds: number
  readonly underWayMax: number
}
export type Result = {
  readonly calls: number
  /** By the second in which the answer came. */
  readonly served: readonly number[]
  readonly longestMs: number
  /** Of all answers. */
  readonly p50Ms: number | null
  readonly p99Ms: number | null
}

const connectionsEach = 16
const { urls, path, headers, ...rate } = readPlan() as Plan
const pools = urls.map((url) => new Pool(url, { connections: connectionsEach, pipelining: 1 }))
const served = Array.from({ length: rate.seconds }, () => 0)
const startedAt = performance.now()
const durations: number[] = []
let calls = 0

await pace(rate, call)
report({
  calls,
  served,
  longestMs: quantile(durations, 1) ?? 0,
  p50Ms: quantile(durations, 0.5),
  p99Ms: quantile(durations, 0.99),
} satisfies Result)
await Promise.all(pools.map((pool) => pool.close()))

async function call(): Promise<void> {
  const pool = pools[calls % pools.length]
  // Each caller comes to each server.
  const caller = headers[Math.floor(calls++ / pools.length) % headers.length]
  if (pool === undefined || caller === undefined) throw new Error('There is nobody to ask')
  const askedAt = performance.now()
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers: caller })
  const text = await body.text()
  if (statusCode !== 200 && statusCode !== 429) throw new Error(`A call was answered ${statusCode} ${text}`)
  const now = performance.now()
  durations.push(now - askedAt)
  const second = Math.floor((now - startedAt) / 1_000)
  if (statusCode === 200) served[second] = (served[second] ?? 0) + 1
}
