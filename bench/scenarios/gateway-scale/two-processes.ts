// Whether a second gateway process adds as much as the first one has.
import { cpuMicros, perOne } from '../../measure/cpu.ts'
import { serveProgram } from '../../measure/program.ts'
import { load, warmSeconds } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import { newDeployment } from '../../product/settings.ts'
import { startGateway, type Tier } from '../../product/tiers.ts'
import type { Target } from '../../programs/load.ts'
import type { Plan as Origin } from '../../programs/origin.ts'
import type { Column, Sample } from '../../report/table.ts'
import type { Part } from '../../scenario.ts'

type Setting = { readonly targets: readonly Target[]; readonly origin: Origin; readonly seconds: number }

const core = 'both'
const meetSeconds = 60
const peer = 'one gateway'

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'requests/s', digits: 0, compared: true },
  { figure: 'cpu', title: 'CPU µs/request', digits: 1, compared: true },
  { figure: 'cores', title: 'cores used', digits: 2 },
  { figure: 'perCore', title: 'requests/s of a whole core', digits: 0 },
  { figure: 'p99Ms', title: 'p99 ms', digits: 1 },
]

export const twoProcesses = (setting: Setting): Part => ({
  title: 'Two processes',
  about:
    `${setting.targets.length} keys, the same at each gateway; one Redis. All processes run on both cores, with the origin and a load for each gateway, which take from the gateways what they need: ` +
    'the requests a second of two gateways cannot be twice those of one here. Whether a second process makes the first one dearer shows in CPU a request, and in the requests that a whole core would serve at that.',
  columns,
  peer,
  rows: [gateways(peer, 1, setting), gateways('two gateways', 2, setting)],
})

const gateways = (name: string, count: number, { targets, origin, seconds }: Setting): Row => ({
  name,
  measure: async () => {
    await using behind = await serveProgram('origin', core, origin)
    await using started = new AsyncDisposableStack()
    const deployment = newDeployment()
    const edges: Tier[] = []
    for (let at = 0; at < count; at++) edges.push(started.use(await startGateway(deployment, behind.url, {}, core)))
    const askAll = (bounds: { readonly seconds: number; readonly count?: number }) =>
      Promise.all(edges.map(({ url }) => load({ url, targets, expect: 200, ...bounds }, core)))

    await askAll({ seconds: meetSeconds, count: targets.length })
    await askAll({ seconds: warmSeconds })
    const pids = edges.map(({ pid }) => pid)
    const before = cpuMicros(pids)
    const results = await askAll({ seconds })
    return figuresOf(results, before, cpuMicros(pids))
  },
})

function figuresOf(
  results: readonly { readonly done: number; readonly seconds: number; readonly p99Ms: number | null }[],
  before: number | null,
  after: number | null,
): Sample {
  const done = results.reduce((sum, result) => sum + result.done, 0)
  const perSecond = results.reduce((sum, result) => sum + result.done / result.seconds, 0)
  const cpu = perOne(before, after, done)
  return {
    perSecond,
    cpu,
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms ?? 0)),
    cores: cpu === null ? null : (cpu * perSecond) / 1e6,
    perCore: cpu === null ? null : 1e6 / cpu,
  }
}
