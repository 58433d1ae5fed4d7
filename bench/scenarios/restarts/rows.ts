// Calls at a fixed rate, and what is done to the deployment meanwhile.
import { setTimeout as after } from 'node:timers/promises'
import { pace } from '../../measure/pace.ts'
import type { Row } from '../../measure/rounds.ts'
import { call } from '../../product/calls.ts'
import type { Database } from '../../product/database.ts'
import type { Deployment } from '../../product/settings.ts'
import { startDispatcher, startGateway, startService, type Tier } from '../../product/tiers.ts'
import { quantile } from '../../report/figures.ts'
import { balancerOf } from './balancer.ts'

export type Setting = {
  readonly deployment: Deployment
  readonly seeded: Database
  readonly tokens: readonly string[]
  readonly seconds: number
}
type Kind = 'undisturbed' | 'gateways replaced' | 'services replaced' | 'dispatchers replaced' | 'one service frozen'

export const kinds: readonly Kind[] = [
  ...(['undisturbed', 'gateways replaced', 'services replaced', 'dispatchers replaced', 'one service frozen'] as const),
]
export const perSecond = 40
export const drainSeconds = 5
/** By then the frozen service must have been found out. */
export const settledSeconds = 2
/** The next process is stopped when the successor of this one gets calls. */
const noticedWithinMs = 1_000
const callsEndWithinMs = 60_000
const longestSeconds = 120

/** The same process again: its address, and how its successor is started. */
type Member = { tier: Tier; readonly start: (port: string) => Promise<Tier> }

export const disturbed = (kind: Kind, setting: Setting): Row => ({
  name: kind,
  measure: async () => {
    const { deployment, seeded, seconds } = setting
    await using database = await seeded.copy()
    const drain = { DRAIN_SECONDS: String(drainSeconds) }
    const services = await pair((port) => startService(deployment, database.url, { ...drain, ...port }))
    const addresses = services.map(({ tier }) => tier.url).join(',')
    const gateways = await pair((port) => startGateway(deployment, addresses, { ...drain, ...port }))
    const dispatchers = await pair((port) => startDispatcher(deployment, database.url, port))
    try {
      using balancer = balancerOf(() => gateways.map(({ tier }) => tier.url))
      const over = new AbortController()
      const calling = keepCalling(balancer.next, setting, over.signal)
      await after(seconds * 1_000)
      calling.mark()
      await act(kind, { services, gateways, dispatchers }, seconds)
      await after(seconds * 1_000)
      over.abort()
      return await calling.figures()
    } finally {
      for (const { tier } of [...gateways, ...services, ...dispatchers]) {
        process.kill(tier.pid, 'SIGCONT')
        await tier.stop()
      }
    }
  },
})

type Deployed = Record<'services' | 'gateways' | 'dispatchers', readonly Member[]>

async function act(kind: Kind, { services, gateways, dispatchers }: Deployed, seconds: number): Promise<void> {
  switch (kind) {
    case 'undisturbed':
      return after(seconds * 1_000)
    case 'gateways replaced':
      return replace(gateways)
    case 'services replaced':
      return replace(services)
    case 'dispatchers replaced':
      return replace(dispatchers)
    case 'one service frozen':
      process.kill(services[0]?.tier.pid ?? 0, 'SIGSTOP')
      return after(seconds * 1_000)
    default:
      return kind satisfies never
  }
}

async function pair(start: (port: Record<string, string>) => Promise<Tier>): Promise<Member[]> {
  const tiers = [await start({}), await start({})]
  return tiers.map((tier) => ({ tier, start: (port) => start({ PORT: port }) }))
}

async function replace(members: readonly Member[]): Promise<void> {
  for (const member of members) {
    await member.tier.ended()
    member.tier = await member.start(new URL(member.tier.url).port)
    await after(noticedWithinMs)
  }
}

type Called = { readonly at: number; readonly ms: number; readonly isFine: boolean }

function keepCalling(next: () => string, { tokens }: Setting, until: AbortSignal) {
  const called: Called[] = []
  let turn = 0
  let markedAt = Infinity
  const one = async (): Promise<void> => {
    const token = tokens[turn % tokens.length] ?? ''
    const body = Math.floor(turn++ / tokens.length) % 2 === 0 ? { name: `Project ${turn}` } : undefined
    const at = performance.now()
    const isFine = await call(`${next()}/api/v1/projects`, token, body).then(
      ({ status }) => status === 200 || status === 201,
      () => false,
    )
    called.push({ at, ms: performance.now() - at, isFine })
  }
  const done = pace({ perSecond, seconds: longestSeconds, until }, one)
  const figures = async () => {
    await Promise.race([done, after(callsEndWithinMs, undefined, { ref: false })])
    const failed = called.filter(({ isFine }) => !isFine)
    const durations = called.map(({ ms }) => ms)
    return {
      calls: called.length,
      failed: failed.length,
      failedLater: failed.filter(({ at }) => at > markedAt + settledSeconds * 1_000).length,
      p50: quantile(durations, 0.5),
      p99: quantile(durations, 0.99),
    }
  }
  return { mark: () => void (markedAt = performance.now()), figures }
}
