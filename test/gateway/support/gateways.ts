// Several gateways over one model of Redis, on clocks of the test's own, each with a skew. What they ask lies there until
// the test delivers it.
import { leasedBuckets, type LeasedBuckets } from '../../../gateway/rate-limit/reserved-buckets.ts'
import type { Question } from '../../../gateway/rate-limit/redis-store.ts'
import type { Bucket, Consumed } from '../../../gateway/rate-limit/token-bucket.ts'
import { modelRedis, type ModelRedis } from './model-redis.ts'

/** As long as a call may wait, on the clock of the gateway. */
const waitUs = 20_000

export type Skew = { readonly offsetUs: number; readonly drift: number }
export type ModelGateway = LeasedBuckets & {
  /** Redis answers what this gateway has asked, in its order. Returns how many questions there were. */
  deliver(): number
  /** What was asked lies there for longer than a call may wait. */
  isLate(): boolean
  /** What was asked gets no answer in time; `late`: it gets one after that. */
  fallSilent(late?: boolean): void
  /** Tells Redis of itself, as each gateway does every second, and hears whether Redis knows the buckets. */
  announce(): void
  isAway: boolean
  /** Tokens that were let through. */
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
  let asked: Question[] = []
  let collect = (): void => {}
  let since = -1
  let lostAtUs = -Infinity
  let askedAtUs = 0
  const buckets = leasedBuckets({
    questions: {
      isAway: () => gateway.isAway,
      ask: (question) => {
        if (asked.length === 0) askedAtUs = nowUs()
        asked.push(question)
      },
      gather: (gathered) => (collect = gathered),
    },
    gateways: () => count,
    lostAtUs: () => lostAtUs,
    nowUs,
  })
  function learn(told: ReturnType<ModelRedis['announce']>): void {
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
      const questions = asked
      asked = []
      if (questions.length === 0) return 0
      const told = redis.run(questions, since, count)
      learn(told)
      questions.forEach((question, at) => {
        const answer = told.answers[at]
        if (answer === undefined) question.failed()
        else question.answered(answer.lacking, answer.got)
      })
      return questions.length
    },
    announce: () => learn(redis.announce(since)),
    isLate: () => asked.length > 0 && nowUs() - askedAtUs >= waitUs,
    fallSilent: (late = false) => {
      gateway.isAway = true
      collect()
      for (const question of asked) question.silent()
      if (late) return
      for (const question of asked.splice(0)) question.failed()
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
