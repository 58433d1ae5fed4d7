// What the API log costs one call, by itself: in one process, with the clock, the workspaces and the share of calls
// that is kept as a gateway under load has them. Reports are made into JSON, but not sent: that is one POST a second.
import type { Socket } from 'node:net'
import { Fault } from '#contract/faults/fault.ts'
import { openApiLog } from '../../gateway/reports/api-log.ts'
import { defaultBudgets } from '../../gateway/reports/call-budget.ts'
import { openContext } from '../../gateway/request/request-context.ts'
import type { FinishedRequest } from '../../gateway/request/request-log.ts'
import { readPlan, report } from '../measure/plan.ts'

/** `ids`: of the keys and workspaces that call, in turn. */
export type Plan = { readonly ids: readonly string[]; readonly status: number; readonly perSecond: number }
export type Cost = { readonly cpu: number; readonly keptPerSecond: number }

const warmSeconds = 20
const measuredSeconds = 150
const startedAt = Date.parse('2026-01-01T00:00:00Z')

const { ids, status, perSecond } = readPlan() as Plan
const route = { operation: 'projects.get', surface: 'http', changes: false }
const fault = status < 400 ? null : new Fault('insufficient_scope', 'The request requires the scope projects:read.')
const requests = ids.map((id): FinishedRequest => ({
  method: 'GET',
  url: `/api/v1/projects/${id}`,
  route: '/api/v1/projects/{id}',
  status,
  code: fault?.code ?? null,
  startedAt: 0,
  ms: 2,
  ownMs: 0.2,
  upstreamMs: fault === null ? 1.5 : null,
  // The log does not look at it.
  socket: null as unknown as Socket,
  context: Object.assign(openContext(id, null), { keyId: id, workspaceId: id }),
  fault,
}))

let nowMs = startedAt
let kept = 0
const log = openApiLog(
  async (reported) => {
    kept += reported.items.length
    JSON.stringify(reported)
  },
  { error: (error) => console.error(error), dropped: (count) => console.error(`${count} dropped`) },
  defaultBudgets,
  { now: () => nowMs },
)

/** Calls come evenly over each second, and the log is reported after it. */
async function callFor(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    const from = nowMs
    for (let n = 0; n < perSecond; n++) {
      nowMs = from + (n * 1_000) / perSecond
      log.record(requests[(second * perSecond + n) % requests.length]!, route)
    }
    nowMs = from + 1_000
    await log.flush()
  }
}

await callFor(warmSeconds)
kept = 0
const before = process.cpuUsage()
await callFor(measuredSeconds)
const { user, system } = process.cpuUsage(before)
await log.close()
report({
  cpu: (user + system) / (measuredSeconds * perSecond),
  keptPerSecond: kept / measuredSeconds,
} satisfies Cost)
