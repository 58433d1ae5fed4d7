// How much later an answer comes through a proxy, at a rate that leaves it time: begun at fixed moments, whether or not
// the calls before have ended.
import { runProgram, serveProgram } from '../../measure/program.ts'
import { graceMs, warmSeconds } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import type { Key } from '../../product/keys.ts'
import { newDeployment } from '../../product/settings.ts'
import { startGateway } from '../../product/tiers.ts'
import type { Plan as ReplyFrom } from '../../programs/reply-from.ts'
import type { Plan, Result } from '../../programs/steady-calls.ts'
import type { Column, Sample } from '../../report/table.ts'
import type { Part } from '../../scenario.ts'

type Setting = { readonly key: Key; readonly origin: string; readonly seconds: number }
type Server = AsyncDisposable & { readonly url: string }
type Serve = (origin: string) => Promise<Server>

const rateWanted = 1_000
const rateOfSlowMachines = 500
/** A rate counts as held when no more than so many calls wait, but for one in a hundred. */
const heldUnderWay = 64
const heldShare = 0.99
/** What waits beyond it is not begun, and shows as a lower rate. */
const underWayMax = 1_024
const direct = 'direct'

const columns: readonly Column[] = [
  { figure: 'perSecond', title: 'requests/s', digits: 0 },
  { figure: 'p50Ms', title: 'p50 ms', digits: 2, added: true },
  { figure: 'p99Ms', title: 'p99 ms', digits: 2, added: true },
]

const gateway: Serve = (origin) => startGateway(newDeployment(), origin)
const replyFrom: Serve = (origin) => serveProgram('reply-from', 'measured', { origin } satisfies ReplyFrom)
const originItself: Serve = async (url) => ({ url, [Symbol.asyncDispose]: async () => {} })

export async function latency(setting: Setting): Promise<Part> {
  const rate = (await isHeld(setting, gateway)) && (await isHeld(setting, replyFrom)) ? rateWanted : rateOfSlowMachines
  const row = (name: string, serve: Serve): Row => ({ name, measure: () => measured(setting, rate, serve) })
  return {
    title: `Latency at ${rate} requests/s`,
    about:
      `The same GET with one key, begun ${rate} times a second, over 16 connections; ${rate === rateWanted ? '' : `${rateWanted} could not be held on this machine; `}a call that waits for a connection waits in the figure. ` +
      `\`${direct}\` goes to the origin itself. One path for all flatters \`reply-from\`, which remembers paths.`,
    columns,
    peer: direct,
    rows: [row(direct, originItself), row('gateway', gateway), row('reply-from', replyFrom)],
    goals: [
      {
        says: 'p99 through the gateway over that through `reply-from`, so what either adds,',
        own: { row: 'gateway', figure: 'p99Ms' },
        over: { row: 'reply-from', figure: 'p99Ms' },
        atMost: 1,
      },
    ],
  }
}

async function isHeld({ key, origin }: Setting, serve: Serve): Promise<boolean> {
  await using server = await serve(origin)
  const rate = { perSecond: rateWanted, seconds: warmSeconds }
  await call(server, key, { ...rate, underWayMax })
  const { calls } = await call(server, key, { ...rate, underWayMax: heldUnderWay })
  return calls >= rateWanted * warmSeconds * heldShare
}

async function measured({ key, origin, seconds }: Setting, perSecond: number, serve: Serve): Promise<Sample> {
  await using server = await serve(origin)
  await call(server, key, { perSecond, seconds: warmSeconds, underWayMax })
  const { calls, p50Ms, p99Ms } = await call(server, key, { perSecond, seconds, underWayMax })
  return { perSecond: calls / seconds, p50Ms, p99Ms }
}

type Rate = Pick<Plan, 'perSecond' | 'seconds' | 'underWayMax'>

/** Rejects when any of them was refused. */
async function call({ url }: Server, { token }: Key, rate: Rate): Promise<Result> {
  const headers = [{ authorization: `Bearer ${token}` }]
  const plan: Plan = { urls: [url], path: '/api/v1/projects/1', headers, ...rate }
  const result = await runProgram<Result>('steady-calls', 'load', plan, rate.seconds * 1_000 + graceMs)
  const served = result.served.reduce((all, each) => all + each, 0)
  if (served < result.calls) throw new Error(`${result.calls - served} calls were refused`)
  return result
}
