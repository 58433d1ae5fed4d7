// Several gateways over one model of Redis, on skewed clocks; what they ask lies there until the test delivers it.
import { reservedBuckets, type ReservedBuckets } from '../../../gateway/rate-limit/reserved-buckets.ts'
import type { RequestGroup } from '../../../gateway/rate-limit/redis-script.ts'
import type { Bucket, Consumed } from '../../../gateway/rate-limit/token-bucket.ts'
import { modelRedis, type ModelRedis } from './model-redis.ts'

/** As long as a call may wait, on the clock of the gateway. */
const waitUs = 20_000

export type Skew = { readonly offsetUs: number; readonly drift: number }
export type ModelGateway = ReservedBuckets & {
  /** Redis answers what this gateway has asked, in its order. Returns how many groups of requests there were. */
  deliver(): number
  isLate(): boolean
  /** What was asked gets no answer in time; `late`: it gets one after that. */
  fallSilent(late?: boolean): void
  /** Tells Redis of itself, as each gateway does every second, and hears whether Redis knows the buckets. */
  announce(): void
  isAway: boolean
  passed: number
  take(buckets: readonly Bucket[], tokens: number): void
}
export type Gateways = {
  readonly all: readonly ModelGateway[]
  readonly redis: ModelRedis
  wait(us: number): void
  nowUs(): number
}

export function gatewaysWith(skews: readonly Skew[]): Gateways {
  let now = 1_800_000_000_000_000
  const redis = modelRedis(() => now)
  const started = now
  const all = skews.map(({ offsetUs, drift }) =>
    modelGateway(redis, skews.length, () => Math.floor(offsetUs + (now - started) * drift)),
  )
  return { all, redis, wait: (us) => (now += us), nowUs: () => now }
}

export const alike = (count: number): Skew[] => Array.from({ length: count }, () => ({ offsetUs: 1, drift: 1 }))

function modelGateway(redis: ModelRedis, count: number, nowUs: () => number): ModelGateway {
  let asked: RequestGroup[] = []
  let collect = (): void => {}
  let since = -1
  let lostAtUs = -Infinity
  let askedAtUs = 0
  const store = {
    isAway: () => gateway.isAway,
    request: (group: RequestGroup) => {
      if (asked.length === 0) askedAtUs = nowUs()
      asked.push(group)
    },
    gather: (gathered: () => void) => (collect = gathered),
    gateways: () => count,
    lostAtUs: () => lostAtUs,
  }
  const buckets = reservedBuckets(store, nowUs)
  function heard(told: ReturnType<ModelRedis['announce']>): void {
    if (since > 0 && told.since !== since) lostAtUs = nowUs()
    since = told.since
    gateway.isAway = told.recoversInUs > 0
  }
  const gateway: ModelGateway = {
    ...buckets,
    isAway: false,
    passed: 0,
    deliver: () => {
      collect()
      const groups = asked
      asked = []
      if (groups.length === 0) return 0
      const told = redis.run(groups, since, count)
      heard(told)
      groups.forEach((group, at) => {
        const answer = told.answers[at]
        if (answer === undefined) group.failed()
        else group.answered(answer.lacking, answer.grants)
      })
      return groups.length
    },
    announce: () => heard(redis.announce(since)),
    isLate: () => asked.length > 0 && nowUs() - askedAtUs >= waitUs,
    fallSilent: (late = false) => {
      gateway.isAway = true
      collect()
      for (const group of asked) group.timedOut()
      if (late) return
      for (const group of asked.splice(0)) group.failed()
    },
    take: (taken, tokens) => {
      const count = ({ allowed }: Consumed) => void (gateway.passed += allowed ? tokens : 0)
      const consumed = buckets.consume(taken, tokens)
      if (consumed instanceof Promise) void consumed.then(count)
      else count(consumed)
    },
  }
  // It is connected before the first call.
  gateway.announce()
  return gateway
}
