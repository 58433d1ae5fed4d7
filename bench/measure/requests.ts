// One measurement of a server under load: warm up, then count answers and what they cost.
import type { Plan, Result } from '../programs/load.ts'
import type { Sample } from '../report/table.ts'
import type { Core } from './cores.ts'
import { cpuByProcess, cpuMicros, perOne, usedPerOne } from './cpu.ts'
import { runProgram } from './program.ts'

export const connections = 64
export const warmSeconds = 2
const warmSecondsMax = 20
/** At most, for each target to be asked for once: what is cached of a caller is cached then. */
const meetSeconds = 30
/** For a process to start and end, beside its work. */
export const graceMs = 30_000

/** Processes whose time is told: those that are measured, and the database's sessions that work for them. */
export type Watched = {
  readonly own: readonly number[]
  readonly postgres?: readonly number[]
  /** The one of `own` that passes the calls on. */
  readonly proxy?: number
}

type Asked = Omit<Plan, 'connections'> & Partial<Pick<Plan, 'connections'>>
type Measured = Asked & {
  /** The warm-up goes on until there were so many, within a bound: code that is run seldom is slow. */
  readonly warmRequests?: number
}

export async function underLoad(plan: Measured, watched: () => Promise<Watched>): Promise<Sample> {
  await load({ ...plan, seconds: meetSeconds, count: plan.targets.length })
  return await onceWarm(plan, watched)
}

/** `watched` is asked after the warm-up, when all connections are there. */
export async function onceWarm(
  { warmRequests = 0, ...plan }: Measured,
  watched: () => Promise<Watched>,
): Promise<Sample> {
  const missing = warmRequests - (await load({ ...plan, seconds: warmSeconds })).done
  if (missing > 0) await load({ ...plan, seconds: warmSecondsMax, count: missing })
  const { own, postgres = [], proxy } = await watched()
  const readings = () => [own, proxy === undefined ? [] : [proxy]].map(cpuMicros)
  const before = readings()
  // A session that nobody needs any longer may end meanwhile.
  const sessions = cpuByProcess(postgres)
  const { done, seconds, p50Ms, p99Ms } = await load(plan)
  const ofPostgres = usedPerOne(sessions, cpuByProcess(postgres), done)
  const [cpu = null, ofProxy = null] = readings().map((after, n) => perOne(before[n] ?? null, after, done))
  return {
    perSecond: done / seconds,
    p50Ms,
    p99Ms,
    cpu,
    postgres: ofPostgres,
    proxy: ofProxy,
    cores: cpu === null ? null : (cpu * done) / seconds / 1e6,
  }
}

/** Rejects with the first answer that is not the expected one. */
export const load = (plan: Asked, core: Core = 'load'): Promise<Result> =>
  runProgram<Result>('load', core, { connections, ...plan } satisfies Plan, plan.seconds * 1_000 + graceMs)
