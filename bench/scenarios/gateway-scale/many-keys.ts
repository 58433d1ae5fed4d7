// What it costs the gateway to have many keys in use: time for each request, and memory for each key.
import { freePort } from '../../measure/free-port.ts'
import { memoryOf } from '../../measure/memory.ts'
import { load, onceWarm } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import { readMetric } from '../../product/read-metric.ts'
import { newDeployment } from '../../product/settings.ts'
import { startGateway } from '../../product/tiers.ts'
import type { Target } from '../../programs/load.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column } from '../../report/table.ts'
import type { Part } from '../../scenario.ts'

export type Setting = {
  /** One for each key. */
  readonly targets: readonly Target[]
  readonly origin: string
  readonly seconds: number
}
type Measuring = { readonly name: string; readonly inUse: number; readonly seconds: number }

const few = 1_000
/** For all keys to be asked for once; a machine that is slower says so. */
const meetSeconds = 120
/** For so long the gateway uses a key without asking for it again. */
const freshSeconds = 30
const roundsMax = 3
const peer = `${few} keys`

const columns: readonly Column[] = [
  { figure: 'cpu', title: 'CPU µs/request', digits: 1, compared: true },
  { figure: 'perSecond', title: 'requests/s', digits: 0 },
  { figure: 'fetches', title: 'questions for a key, a request', digits: 3 },
  { figure: 'redisCalls', title: 'Redis calls a request', digits: 3 },
  { figure: 'rss', title: 'RSS MiB', digits: 0 },
  { figure: 'bytesEach', title: 'bytes a key', digits: 0 },
]

export function manyKeys(setting: Setting): Part {
  const { targets, seconds } = setting
  const inUse = targets.length
  const many = `${inUse} keys`
  const aged = `${many}, for ${freshSeconds} s`
  return {
    title: `${few} and ${inUse} keys in use`,
    about:
      'GETs with all keys in turn. The origin knows a key for every hash that it is asked for, and makes its record from that: a million of them and more. Each key has a workspace of its own and the highest limits, so that none is refused. ' +
      `Before anything is counted, ${inUse} requests go over ${few} keys, then as many over all keys in use, so that each was asked for; *bytes a key* is what the process's own memory has grown by in the latter, over the keys that came new: with the garbage that nobody has collected yet. ` +
      `The last row is counted for ${freshSeconds} s: after that time the gateway asks for a key in use again, so that each of them is asked for once.`,
    columns,
    peer,
    roundsMax,
    rows: [
      measuring({ name: peer, inUse: few, seconds }, setting),
      measuring({ name: many, inUse, seconds }, setting),
      measuring({ name: aged, inUse, seconds: freshSeconds }, setting),
    ],
    goals: [many, aged].map(noDearer),
  }
}

const noDearer = (row: string): Goal => ({
  says: `CPU with ${row} over that with ${peer}`,
  own: { row, figure: 'cpu' },
  over: { row: peer, figure: 'cpu' },
  atMost: 1.1,
})

const measuring = ({ name, inUse, seconds }: Measuring, { targets, origin }: Setting): Row => ({
  name,
  measure: async () => {
    const metricsPort = await freePort()
    await using gateway = await startGateway(newDeployment(), origin, { METRICS_PORT: String(metricsPort) })
    const asked = (count: number) => ({ url: gateway.url, targets: targets.slice(0, count), expect: 200, seconds })
    const read = (): Promise<Counted> => countedBy(metricsPort)
    const own = (): number => memoryOf(gateway.pid)?.own ?? Number.NaN

    await askFor(targets.length, asked(few))
    const ownBefore = own()
    await askFor(targets.length, asked(inUse))
    const grownBy = own() - ownBefore
    let before = await read()
    const sample = await onceWarm(asked(inUse), async () => {
      before = await read()
      return { own: [gateway.pid] }
    })
    return {
      ...sample,
      ...perRequest(before, await read()),
      rss: memoryOf(gateway.pid)?.rss ?? null,
      bytesEach: inUse > few && !Number.isNaN(grownBy) ? (grownBy * 2 ** 20) / (inUse - few) : null,
    }
  },
})

/** So many requests, whatever time it takes, within the bound. */
async function askFor(count: number, asked: Parameters<typeof load>[0]): Promise<void> {
  const { done } = await load({ ...asked, seconds: meetSeconds, count })
  if (done < count)
    throw new Error(`Only ${done} of ${count} requests were answered within ${meetSeconds} s: give fewer --rows.`)
}

type Counted = { readonly requests: number; readonly fetches: number; readonly redisCalls: number }

const countedBy = async (port: number): Promise<Counted> => ({
  requests: await readMetric(port, 'http_server_request_duration_seconds_count'),
  fetches: await readMetric(port, 'gateway_key_fetches_total'),
  redisCalls: await readMetric(port, 'gateway_rate_limit_redis_calls_total'),
})

function perRequest(before: Counted, after: Counted): { readonly fetches: number; readonly redisCalls: number } {
  const requests = after.requests - before.requests
  return {
    fetches: (after.fetches - before.fetches) / requests,
    redisCalls: (after.redisCalls - before.redisCalls) / requests,
  }
}
