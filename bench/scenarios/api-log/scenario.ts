// What the API log costs the gateway: the same process with it and without, in front of an origin that answers from
// memory and takes its reports. Equal processes differ by more than the log costs, so it is measured by itself as well.
import { randomUUID } from 'node:crypto'
import { connections, underLoad } from '../../measure/requests.ts'
import { runProgram, serveProgram } from '../../measure/program.ts'
import type { Row } from '../../measure/rounds.ts'
import { makeKey, type Key } from '../../product/keys.ts'
import { newDeployment } from '../../product/settings.ts'
import { startGateway } from '../../product/tiers.ts'
import type { Cost, Plan as CostPlan } from '../../programs/api-log-cost.ts'
import type { Target } from '../../programs/load.ts'
import type { Plan as Origin } from '../../programs/origin.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'

// So many that no limit refuses a call. Each has a workspace of its own.
const keyCount = 4_096
const without = 'without the log'
const withLog = 'with the log'
const logAlone = 'the log alone'
/** As many as a gateway serves on one core. */
const alonePerSecond = 10_000
const aloneWithinMs = 60_000

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'requests/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs/request', digits: 2, compared: true },
  { figure: 'keptPerSecond', title: 'kept/s', digits: 0 },
  { figure: 'cores', title: 'cores used', digits: 2 },
  { figure: 'p50Ms', title: 'p50 ms', digits: 1 },
  { figure: 'p99Ms', title: 'p99 ms', digits: 1 },
]

const goal: Goal = {
  says: `CPU of \`${logAlone}\` over that of \`${without}\``,
  own: { row: logAlone, figure: 'cpu' },
  over: { row: without, figure: 'cpu' },
  atMost: 0.03,
}

const settingsOf: Readonly<Record<string, Record<string, string>>> = {
  [without]: { API_LOG_READS_PER_SECOND: '0', API_LOG_OTHERS_PER_SECOND: '0' },
  [withLog]: {},
}

type Load = {
  readonly keys: readonly Key[]
  readonly origin: string
  readonly seconds: number
  readonly resource: string
  readonly expect: number
}

const rowsOf = (load: Load): Row[] => [...gatewayRows(load), aloneRow(load)]

const aloneRow = ({ keys, expect }: Load): Row => ({
  name: logAlone,
  measure: async () => {
    const plan: CostPlan = { ids: keys.map(() => randomUUID()), status: expect, perSecond: alonePerSecond }
    return await runProgram<Cost>('api-log-cost', 'measured', plan, aloneWithinMs)
  },
})

const gatewayRows = ({ keys, origin, seconds, resource, expect }: Load): Row[] =>
  Object.entries(settingsOf).map(([name, settings]) => ({
    name,
    measure: async () => {
      await using gateway = await startGateway(newDeployment(), origin, settings)
      const targets = keys.map(({ token }): Target => ({
        method: 'GET',
        path: `/api/v1/${resource}/${randomUUID()}`,
        headers: { authorization: `Bearer ${token}` },
      }))
      const plan = { url: gateway.url, targets, expect, seconds, warmRequests: 20_000 }
      return await underLoad(plan, async () => ({ own: [gateway.pid] }))
    },
  }))

const part = (title: string, about: string, rows: Row[]): Part => ({
  ...{ title, about, columns, rows, peer: without, goals: [goal] },
})

export const apiLog: Scenario = {
  name: 'api-log',
  about:
    'The gateway with its default budgets of the API log, and without it. Thousands of workspaces call at once, far more often than the log has room for: some hundred calls a second are reported, the others are counted.',
  prepare: async ({ seconds }) => {
    await using undo = new AsyncDisposableStack()
    const keys = Array.from({ length: keyCount }, () => makeKey())
    const records = Object.fromEntries(keys.map(({ hash, record }) => [hash, record]))
    const origin = await serveProgram('origin', 'load', { keys: records } satisfies Origin)
    undo.defer(origin.stop)
    const load = { keys, origin: origin.url, seconds }
    const parts = [
      part(
        'GET through the gateway',
        `As in the scenario \`gateway\`: ${keyCount} keys, each of a workspace of its own, ${connections} connections.`,
        rowsOf({ ...load, resource: 'projects', expect: 200 }),
      ),
      part(
        'Refused by the gateway',
        'The same keys, of which none has the scope: 403, without a call of the origin.',
        rowsOf({ ...load, resource: 'tasks', expect: 403 }),
      ),
    ]
    const kept = undo.move()
    return { parts, facts: {}, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}
