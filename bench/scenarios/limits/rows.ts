// One key at several gateways, offered four times its limit; and many keys that ask seldom.
import { setTimeout as after } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { runProgram } from '../../measure/program.ts'
import { graceMs, warmSeconds } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import { cuttableConnection } from '../../product/cuttable-connection.ts'
import { newDeployment, redisUrl } from '../../product/settings.ts'
import { startGateway } from '../../product/tiers.ts'
import type { Plan, Result } from '../../programs/steady-calls.ts'
import type { Sample } from '../../report/table.ts'

export type Setting = {
  readonly gateways: number
  /** The limit. */
  readonly perSecond: number
  /** Of the keys that ask, in turn. */
  readonly tokens: readonly string[]
  readonly origin: string
  readonly seconds: number
  /** The gateways that are asked; all by default. */
  readonly used?: number
  readonly awaySeconds?: number
}

const offered = 4
/** Where the machine is too slow for more, less is offered. */
const underWayMax = 512
const awayAfterSeconds = 2

export const limiting = (name: string, setting: Setting): Row => ({
  name,
  measure: async () => {
    const { gateways, perSecond, tokens, origin, seconds, used = gateways, awaySeconds = 0 } = setting
    await using toRedis = await cuttableConnection(redisUrl)
    await using started = new AsyncDisposableStack()
    const deployment = newDeployment()
    const urls: string[] = []
    for (let at = 0; at < gateways; at++)
      urls.push(started.use(await startGateway(deployment, origin, { REDIS_URL: toRedis.url, LOG_LEVEL: 'warn' })).url)
    const plan: Plan = {
      urls: urls.slice(0, used),
      path: '/api/v1/projects/1',
      headers: tokens.map((token) => ({ authorization: `Bearer ${token}` })),
      perSecond: perSecond * offered,
      underWayMax,
      seconds,
    }
    await runProgram<Result>('steady-calls', 'load', { ...plan, seconds: warmSeconds }, graceMs)

    const before = await scriptsRun()
    const calling = runProgram<Result>('steady-calls', 'load', plan, seconds * 1_000 + graceMs)
    if (awaySeconds > 0) {
      await after(awayAfterSeconds * 1_000)
      toRedis.cut()
      await after(awaySeconds * 1_000)
      toRedis.mend()
    }
    return figuresOf(await calling, (await scriptsRun()) - before, setting)
  },
})

function figuresOf(
  { calls, served, longestMs }: Result,
  scripts: number,
  { perSecond, seconds, tokens }: Setting,
): Sample {
  // Of many keys none meets its limit.
  if (tokens.length > 1) return { through: null, worst: null, redisCalls: scripts / calls, longestMs, hundredth: 0.01 }
  const counted = served.slice(1, seconds)
  const sum = counted.reduce((all, each) => all + each, 0)
  return {
    through: sum / counted.length / perSecond,
    worst: Math.max(...counted) / perSecond,
    redisCalls: scripts / calls,
    longestMs,
    hundredth: 0.01,
  }
}

/** So far, whoever ran them. */
async function scriptsRun(): Promise<number> {
  const redis = new Redis(redisUrl)
  try {
    const stats = await redis.info('commandstats')
    return ['eval', 'evalsha'].reduce(
      (sum, name) => sum + Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0),
      0,
    )
  } finally {
    redis.disconnect()
  }
}
