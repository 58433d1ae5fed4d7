// How exactly a rate limit holds over several gateways, and how often they ask Redis for it.
import { randomUUID } from 'node:crypto'
import { serveProgram } from '../../measure/program.ts'
import { makeKey } from '../../product/keys.ts'
import type { Plan as Origin } from '../../programs/origin.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column } from '../../report/table.ts'
import type { Scenario } from '../../scenario.ts'
import { limiting, type Setting } from './rows.ts'

const gateways = 4
const rateDefault = 1_000
/** Of what comes back in a second. */
const burstShare = 0.1
const evenly = 'evenly over the gateways'
const skewed = 'all at one gateway'
const away = 'evenly, Redis away for 2 s'
const seldom = 'many keys, each seldom'
const seldomCount = 4_096

const columns: readonly Column[] = [
  { figure: 'through', title: 'served/s over the limit', digits: 4 },
  { figure: 'worst', title: 'worst second', digits: 3 },
  { figure: 'redisCalls', title: 'Redis calls a request', digits: 3 },
  { figure: 'longestMs', title: 'longest answer, ms', digits: 0 },
]
const percent = (row: string) => ({
  says: `${row}: served, in percent of the limit,`,
  own: { row, figure: 'through' },
  over: { row, figure: 'hundredth' },
})
const goals: readonly Goal[] = [
  { ...percent(evenly), atMost: 100.5 },
  { ...percent(evenly), atLeast: 99.5 },
  { ...percent(skewed), atMost: 100.5 },
  {
    says: `${evenly}: Redis calls for a hundred requests`,
    own: { row: evenly, figure: 'redisCalls' },
    over: { row: evenly, figure: 'hundredth' },
    atMost: 10,
  },
  {
    says: `${seldom}: Redis calls for a hundred requests`,
    own: { row: seldom, figure: 'redisCalls' },
    over: { row: seldom, figure: 'hundredth' },
    atMost: 10,
  },
]

export const limits: Scenario = {
  name: 'limits',
  about: `One key with a limit, at ${gateways} gateways on one Redis that are offered four times as much.`,
  prepare: async ({ seconds, rate: perSecond = rateDefault }) => {
    const rate = { perMinute: perSecond * 60, burst: perSecond * burstShare }
    // So much that it is the key's limit that counts.
    const plan = { perMinute: 600_000, burst: 100_000 }
    const key = makeKey({
      rateLimit: rate,
      workspaces: [{ id: randomUUID(), suspended: false, refusals: [], rateLimit: plan }],
    })
    const others = Array.from({ length: seldomCount }, () => makeKey())
    const keys = Object.fromEntries([key, ...others].map(({ hash, record }) => [hash, record]))
    const origin = await serveProgram('origin', 'load', { keys } satisfies Origin)
    const setting: Setting = {
      gateways,
      perSecond,
      tokens: [key.token],
      origin: origin.url,
      seconds: Math.max(6, seconds),
    }
    const about =
      `${rate.perMinute} requests a minute, ${rate.burst} at once. ` +
      'The first second is left out: it adds the burst. *Served over the limit* is the mean of the others, *worst second* the largest of them by itself. ' +
      `Redis calls are the scripts that Redis counts, announcements of gateways included, over all requests. *${away}*: the connections to Redis are cut after the second second and mended after the fourth. *${seldom}*: as many requests by ${seldomCount} keys in turn, none of which meets a limit.`
    return {
      parts: [
        {
          title: 'Four times the limit',
          about,
          columns,
          rows: [
            limiting(evenly, setting),
            limiting(skewed, { ...setting, used: 1 }),
            limiting(away, { ...setting, awaySeconds: 2 }),
            limiting(seldom, { ...setting, tokens: others.map(({ token }) => token) }),
          ],
          goals,
        },
      ],
      facts: {},
      [Symbol.asyncDispose]: origin.stop,
    }
  },
}
