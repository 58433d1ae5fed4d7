// The script of gateway/rate-limit/redis-script.ts written a second time, over a clock of the test's own.
import {
  recoveryUs,
  sharesPerGateway,
  type GroupAnswer,
  type RequestGroup,
  type TokenRequest,
} from '../../../gateway/rate-limit/redis-script.ts'

type Stored = { readonly fullAt: number; readonly interval: number }
type State = { readonly since: number; readonly recoversInUs: number }
export type ModelRedis = {
  /** `known`: since when this Redis is known to know all buckets, as the script takes it. */
  run(groups: readonly RequestGroup[], known: number, gateways: number): State & { answers: GroupAnswer[] }
  announce(known: number): State
  loseAll(): void
}

const longAgo = 1_000_000_000_000

export function modelRedis(nowUs: () => number): ModelRedis {
  const buckets = new Map<string, Stored>()
  let since: number | null = null

  function bucketOf({ name, intervalUs, burst }: TokenRequest, now: number): Stored {
    const stored = buckets.get(name) ?? { fullAt: now, interval: intervalUs }
    const fullAt = Math.max(now, stored.fullAt)
    if (stored.interval === intervalUs) return { fullAt, interval: intervalUs }
    const missing = Math.min(burst, (fullAt - now) / stored.interval)
    return { fullAt: now + Math.ceil(missing * intervalUs), interval: intervalUs }
  }

  function answer({ requests }: RequestGroup, isLost: boolean, gateways: number): GroupAnswer {
    const now = nowUs()
    const levels = requests.map((request) => {
      const before = Math.max(bucketOf(request, now).fullAt, now + request.fullInAtLeastUs)
      return { request, fullAt: Math.max(now, before + (isLost ? 0 : request.debit) * request.intervalUs) }
    })
    const lacks = ({ request: { need, burst, intervalUs }, fullAt }: (typeof levels)[number]) =>
      need > 0 && fullAt - now + (need - burst) * intervalUs > 0
    const lacking = levels.reduce((bits, level, at) => bits + (lacks(level) ? 2 ** at : 0), 0)
    const grants = levels.map(({ request, fullAt }) => {
      const { name, intervalUs, burst, need, extra, most } = request
      const needed = lacking === 0 ? fullAt + need * intervalUs : fullAt
      const room = Math.floor(burst - (needed - now) / intervalUs)
      const spare = Math.floor(room / (sharesPerGateway * gateways))
      const granted = lacking === 0 ? Math.max(0, Math.min(extra, room), Math.min(most, spare)) : 0
      const after = needed + granted * intervalUs
      buckets.set(name, { fullAt: after, interval: intervalUs })
      return { granted, fullInUs: after - now }
    })
    return { lacking, grants }
  }

  function announce(known: number): State {
    const now = nowUs()
    const isNew = since !== null && known > 0 && since !== known
    if (since === null || (isNew && since < now - longAgo / 2)) since = known >= 0 ? now : now - longAgo
    return { since, recoversInUs: Math.max(0, since + recoveryUs - now) }
  }

  return {
    announce,
    run: (groups, known, gateways) => {
      const state = announce(known)
      if (state.recoversInUs > 0) return { ...state, answers: [] }
      const isLost = known > 0 && known !== state.since
      return { ...state, answers: groups.map((group) => answer(group, isLost, gateways)) }
    },
    loseAll: () => {
      buckets.clear()
      since = null
    },
  }
}
