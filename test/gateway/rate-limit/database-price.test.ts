// What a call has cost the database is taken from the rate limit once the service has told it.
import { afterEach, describe, expect, test } from 'vitest'
import { databaseTimeHeader } from '#contract/internal/principal.ts'
import { callsForDatabaseMs, databaseCallsMax, databaseMsPerCall } from '#contract/rate-limits.ts'
import { memoryBuckets, overdraftMax } from '../../../gateway/rate-limit/token-bucket.ts'
import {
  memoryRateLimiter,
  redisRateLimiter,
  standardPrice,
  type RateLimiter,
  type Rates,
} from '../../../gateway/rate-limit/limiter.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { startEdge } from '../support/edge.ts'
import { subjectIn } from '../support/rate-subject.ts'

const atOnce = (burst: number): Rates => ({
  key: { perMinute: 1, burst },
  workspace: { perMinute: 1, burst: 1_000 },
})
const path = '/api/v1/projects'
const left = ({ headers }: { headers: Headers }) => Number(/"key";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])

test.each([
  [0, 0],
  [databaseMsPerCall - 1, 0],
  [databaseMsPerCall, 1],
  [databaseMsPerCall * 3.5, 3],
  [databaseMsPerCall * 10_000, databaseCallsMax],
])('a call that has held the database for %i ms counts as %i more', (ms, calls) => {
  expect(callsForDatabaseMs(ms)).toBe(calls)
})

test('the answer says what is left, and not what the call has cost the database', async () => {
  await using edge = await startEdge({ rateLimiter: memoryRateLimiter(atOnce(20), standardPrice) })
  const { token } = edge.service.key()
  const answering = (ms: number, status = 200) => {
    edge.service.respond = (_request, response) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', [databaseTimeHeader]: String(ms) })
        .end('{}')
    return edge.call('GET', path, { token })
  }

  const dear = await answering(databaseMsPerCall * 3)
  expect([left(dear), dear.headers.get(databaseTimeHeader)]).toEqual([16, null])
  expect(left(await answering(databaseMsPerCall - 1))).toBe(15)
  // What was refused has cost as much.
  expect(left(await answering(databaseMsPerCall * 5, 503))).toBe(9)
  expect(left(await answering(databaseMsPerCall * 100))).toBe(0)
  expect((await answering(0)).status).toBe(429)
})

test('a bucket owes what it has not, up to a bound', () => {
  let now = 0
  const { consume, charge } = memoryBuckets(() => now)
  const second = 1_000_000
  const buckets = [{ name: 'key', rate: { perMinute: 60, burst: 5 } }]
  const passes = () => {
    const consumed = consume(buckets, 1)
    return consumed instanceof Promise ? null : consumed.allowed
  }

  charge(buckets, 7)
  now = 2 * second
  expect(passes()).toBe(false)
  now = 3 * second
  expect(passes()).toBe(true)
  for (let n = 0; n < 10; n++) charge(buckets, databaseCallsMax)
  now += overdraftMax * second
  expect(passes()).toBe(false)
  now += second
  expect(passes()).toBe(true)
})

describe.skipIf(services().redis === null)('over one Redis', () => {
  const opened: RateLimiter[] = []
  afterEach(() => Promise.all(opened.splice(0).map((limits) => limits.close())))

  test('what one gateway charges, the other ones know of', async () => {
    const brand = `test-${crypto.randomUUID()}`
    const timeouts = { callMs: 10_000, silenceMs: 10_000 }
    const [one, two] = [0, 1].map(() =>
      redisRateLimiter(services().redis ?? '', brand, atOnce(100), () => {}, { price: standardPrice, timeouts }),
    ) as [RateLimiter, RateLimiter]
    opened.push(one, two)
    await eventually(() => opened.every((each) => each.redisFigures()?.isLocal === false), 'both count in Redis')
    await one.consume(subjectIn(one), 1)

    const quota = one.charge(subjectIn(one), databaseMsPerCall * 15)

    expect(quota?.key.remaining).toBe(84)
    await eventually(async () => {
      const { quota: other } = await two.consume(subjectIn(two, { keyId: 'k' }), 0)
      const { quota: told } = await two.consume(subjectIn(two), 2)
      return told.key.remaining < 84 || other.key.remaining < 84
    }, 'the other gateway has heard of it')
  })
})
