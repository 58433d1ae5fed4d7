// Limits of single keys and workspaces: which one holds, what callers are told of it, and that a changed one holds at
// every gateway at once.
import { defaultRates } from '#contract/rate-limits.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { rateOfKey, type RateLimit } from '#contract/rate-limits.ts'
import { memoryRateLimiter, redisRateLimiter } from '../../../gateway/rate-limit/limiter.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { startEdge, type Edge } from '../support/edge.ts'
import { subjectIn } from '../support/rate-subject.ts'
import { workspaceA, workspaceB } from '../support/service.ts'

const path = '/api/v1/projects'
const limit = (perMinute: number, burst: number): RateLimit => ({ perMinute, burst })
const within = (id: string, rateLimit: RateLimit | null) => ({ id, suspended: false, refusals: [], rateLimit })
const shownBy = ({ headers }: { headers: Headers }) => headers.get('ratelimit-policy')
const leftOf = ({ headers }: { headers: Headers }) => /"key";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]

describe('the rate of a key', () => {
  const defaults = { key: limit(600, 100), workspace: limit(3_000, 500) }

  test.each([
    ['without any, that of all keys', null, [null], limit(600, 100)],
    ['its own, which may be larger than that of all', limit(2_000, 300), [null], limit(2_000, 300)],
    ['its own within the plan', limit(60, 10), [limit(120, 20)], limit(60, 10)],
    ['the plan, where that is smaller', limit(60, 10), [limit(30, 20)], limit(30, 10)],
    ['the plan, where that is smaller than what all keys have', null, [limit(30, 5)], limit(30, 5)],
    ['the largest plan of several workspaces', limit(60, 10), [limit(30, 5), limit(90, 8)], limit(60, 8)],
    ['that of all workspaces counts as a plan', limit(9_000, 900), [limit(30, 5), null], limit(3_000, 500)],
    ['of a key that acts nowhere, its own', limit(60, 10), [], limit(60, 10)],
  ])('is %s', (_what, own, plans, rate) => {
    expect(rateOfKey(own, plans, defaults)).toEqual(rate)
  })

  test('is never above its own, nor above every plan', () => {
    const any = fc.record({ perMinute: fc.integer({ min: 1, max: 9 }), burst: fc.integer({ min: 1, max: 9 }) })
    const property = fc.property(any, fc.array(any, { minLength: 1, maxLength: 3 }), (own, plans) => {
      const rate = rateOfKey(own, plans, defaults)
      for (const of of ['perMinute', 'burst'] as const)
        expect(rate[of]).toBe(Math.min(own[of], Math.max(...plans.map((plan) => plan[of]))))
    })
    fc.assert(property)
  })
})

describe('at the gateway', () => {
  let edge: Edge
  beforeAll(async () => void (edge = await startEdge({ rateLimiter: memoryRateLimiter(defaultRates) })))
  afterAll(() => edge[Symbol.asyncDispose]())

  test('a key’s own limit and its workspace’s plan hold, and every answer to it says so', async () => {
    const workspaces = [within(workspaceA, limit(60, 5))]
    const { token } = edge.service.key({ rateLimit: limit(1, 2), workspaces })
    const ask = (to = path) => edge.call('GET', to, { token })

    const answers = [await ask(), await ask(`${path}?workspaceId=acme`), await ask('/api/v1/me')]

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 429])
    for (const answer of answers) expect(shownBy(answer)).toBe('"key";q=1;w=60, "workspace";q=60;w=60')
  })

  test('until the key is known, what holds for all is told; for one of several workspaces, that of the one it names', async () => {
    const several = [within(workspaceA, limit(60, 5)), within(workspaceB, null)]
    const { token } = edge.service.key({ bound: false, rateLimit: limit(30, 4), workspaces: several })
    const named = (id: string) => edge.call('GET', path, { token, headers: { 'x-workspace-id': id } })

    expect(shownBy(await edge.call('GET', path))).toBe('"key";q=600;w=60, "workspace";q=3000;w=60')
    expect(shownBy(await edge.call('GET', '/api/v1/me', { token }))).toBe('"key";q=30;w=60')
    expect(shownBy(await named(workspaceA))).toBe('"key";q=30;w=60, "workspace";q=60;w=60')
    expect(shownBy(await named(workspaceB))).toBe('"key";q=30;w=60, "workspace";q=3000;w=60')
  })

  test('over MCP the same is told', async () => {
    const { token } = edge.service.key({ rateLimit: limit(1, 1) })
    const ask = () => edge.call('POST', '/api/mcp', { token, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })

    for (const answer of [await ask(), await ask()])
      expect(shownBy(answer)).toBe('"key";q=1;w=60, "workspace";q=3000;w=60')
  })

  test('keys of one workspace share its plan', async () => {
    const plan = [within(crypto.randomUUID(), limit(1, 3))]
    const tokens = [edge.service.key({ workspaces: plan }).token, edge.service.key({ workspaces: plan }).token]

    const answers = []
    for (const token of [...tokens, ...tokens]) answers.push(await edge.call('GET', path, { token }))

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers[3]?.body['violated-policies']).toEqual(['workspace'])
  })
})

describe.skipIf(services().redis === null)('a limit that changes while two gateways run', () => {
  const brand = `test-${crypto.randomUUID()}`
  const open = () => redisRateLimiter(services().redis!, brand, defaultRates, () => {})
  let edges: Edge[]
  beforeAll(async () => {
    const limiters = [open(), open()]
    await eventually(() => limiters.every((each) => each.redisFigures()?.isLocal === false), 'both count in Redis')
    edges = await Promise.all(limiters.map((rateLimiter) => startEdge({ rateLimiter })))
  })
  afterAll(() => Promise.all(edges.map((edge) => edge[Symbol.asyncDispose]())))

  /** A key that both know, and a way to ask either of them. */
  function keyOfBoth(rateLimit: RateLimit) {
    const { token, record } = edges[0]!.service.key({ rateLimit, workspaces: [within(crypto.randomUUID(), null)] })
    edges[1]!.service.know(token, record)
    return {
      change: (to: RateLimit) => {
        record.rateLimit = to
        for (const edge of edges) edge.announce({ kind: 'api-key', id: record.id })
      },
      ask: (at: number) => edges[at]!.call('GET', path, { token }),
    }
  }

  /** Until then a gateway may have tokens in hand, or count for itself because Redis is late. */
  const soon = (at: number, { ask }: ReturnType<typeof keyOfBoth>, status: number) =>
    eventually(async () => (await ask(at)).status === status, `gateway ${at} answers ${status}`, 10_000)

  test('holds at both at once when it is raised, however long the old one would have made the key wait', async () => {
    const key = keyOfBoth(limit(1, 2))
    for (const at of [0, 1]) await soon(at, key, 429)

    key.change(limit(3_000, 4))

    for (const at of [0, 1]) {
      expect(shownBy(await key.ask(at))).toBe('"key";q=3000;w=60, "workspace";q=3000;w=60')
      await soon(at, key, 200)
    }
  })

  test('holds at both at once when it is lowered, and other keys keep theirs', async () => {
    const [lowered, other] = [keyOfBoth(limit(1, 5_000)), keyOfBoth(limit(1, 5_000))]
    for (const key of [lowered, other]) for (const at of [0, 1]) await soon(at, key, 200)

    lowered.change(limit(1, 3))

    for (const at of [0, 1]) {
      expect(Number(leftOf(await lowered.ask(at)))).toBeLessThanOrEqual(3)
      await soon(at, lowered, 429)
      expect((await other.ask(at)).status).toBe(200)
    }
  })
})

test('what was owed under a slower rate is no more than a bucket of the new one may owe', async () => {
  const limits = memoryRateLimiter(defaultRates)
  await limits.consume(subjectIn(limits, { ofKey: limit(1, 100) }), 100)

  const { quota } = await limits.consume(subjectIn(limits, { ofKey: limit(600, 10) }), 0)

  expect(quota.key).toEqual({ limit: 600, remaining: 0, nextSeconds: 3, resetSeconds: 3 })
})
