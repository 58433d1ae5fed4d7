// The rate limit as callers meet it: which one holds, that of all or their own, and what the headers say of it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultRates, rateOfKey, type RateLimit } from '#contract/rate-limits.ts'
import { memoryRateLimiter, type Rates } from '../../../gateway/rate-limit/limiter.ts'
import { atMost, startEdge } from '../support/edge.ts'
import { atOnce, subjectIn } from '../support/rate-subject.ts'
import { within, workspaceA, workspaceB } from '../support/service.ts'

const path = '/api/v1/projects'
const limit = (perMinute: number, burst: number): RateLimit => ({ perMinute, burst })
const limitedTo = (rates: Rates) => startEdge({ rateLimiter: memoryRateLimiter(rates) })
const policyIn = ({ headers }: { headers: Headers }) => headers.get('ratelimit-policy')
const leftIn = ({ headers }: { headers: Headers }) => headers.get('ratelimit')?.replaceAll(/;t=\d+/g, '')

describe('headers', () => {
  test('a key that has used up its calls is refused with the time to wait, before its workspace is looked at', async () => {
    await using edge = await limitedTo(atMost(2))
    const { token } = edge.service.key()
    const ask = (to: string) => edge.call('GET', to, { token })

    const malformed = `${path}?workspaceId=acme`
    const answers = [await ask('/api/v1/me'), await ask(malformed), await ask(malformed)]
    const other = await edge.call('GET', '/api/v1/me', { token: edge.service.key().token })

    expect([...answers, other].map(({ status }) => status)).toEqual([200, 400, 429, 200])
    expect(answers.map(leftIn)).toEqual(['"key";r=1', '"key";r=0', '"key";r=0'])
    const { body, headers } = answers[2]!
    const type = 'https://iana.org/assignments/http-problem-types#quota-exceeded'
    expect(body).toMatchObject({ code: 'rate_limited', 'violated-policies': ['key'], type })
    expect(body.retryAfterSeconds).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBe(body.retryAfterSeconds)
    expect(headers.get('ratelimit-policy')).toBe('"key";q=1;w=60, "workspace";q=60000;w=60')
  })

  test('keys of one workspace share its limit, and what is left of it is in the header when it is the tighter one', async () => {
    await using edge = await limitedTo(atOnce(3, 3))
    const elsewhere = edge.service.key({ workspaces: [within(workspaceB)] }).token
    const tokens = [edge.service.key().token, edge.service.key().token, elsewhere]
    const ask = (at: number, to = path) => edge.call('GET', to, { token: tokens[at]! })

    const answers = [await ask(0), await ask(1), await ask(0), await ask(1), await ask(1, '/api/v1/me')]

    expect([...answers, await ask(2)].map(({ status }) => status)).toEqual([200, 200, 200, 429, 200, 200])
    expect(answers.map(leftIn)).toEqual([
      '"key";r=2',
      '"key";r=2, "workspace";r=1',
      '"key";r=1, "workspace";r=0',
      '"key";r=2, "workspace";r=0',
      '"key";r=1',
    ])
    const { body, headers } = answers[3]!
    expect(body['violated-policies']).toEqual(['workspace'])
    expect(Number(headers.get('retry-after'))).toBe(body.retryAfterSeconds)
  })

  test('Retry-After is never earlier than what RateLimit says of any limit, also of one that does not refuse', async () => {
    await using edge = await limitedTo({ ...atOnce(3), workspace: limit(3, 3) })
    const [one, other] = [edge.service.key().token, edge.service.key().token]
    const ask = (token: string) => edge.call('GET', path, { token })
    const served = [await ask(one), await ask(other), await ask(other)]

    const { headers } = await ask(one)

    expect(served[0]?.headers.get('ratelimit')).toBe('"key";r=2;t=60')
    const wait = Number(headers.get('retry-after'))
    expect(headers.get('ratelimit')).toBe(`"key";r=2;t=${wait}, "workspace";r=0;t=${wait}`)
    expect(wait).toBeLessThanOrEqual(20)
  })

  test('a workspace that the key is not for pays nothing', async () => {
    const limits = memoryRateLimiter(atOnce(9, 9))
    await using edge = await startEdge({ rateLimiter: limits })
    const stranger = edge.service.key({ workspaces: [] })

    await edge.call('GET', `${path}?workspaceId=${workspaceA}`, { token: stranger.token })

    const { quota } = await limits.consume(subjectIn(limits, { keyId: 'another', workspaceId: workspaceA }), 1)
    expect(quota.workspace?.remaining).toBe(8)
  })

  test('calls over MCP are counted with those over HTTP, and of what the gateway answers the headers say the same', async () => {
    await using edge = await limitedTo(atOnce(2, 9))
    const { token } = edge.service.key({ workspaces: [within(workspaceA, { rateLimit: limit(7, 9) })] })
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const overMcp = () => edge.call('POST', '/api/mcp', { token, body: ping })
    await edge.call('GET', path, { token })

    const answers = [await overMcp(), await overMcp()]

    expect(answers.map(({ status }) => status)).toEqual([200, 429])
    for (const answer of answers)
      expect([policyIn(answer), leftIn(answer)]).toEqual(['"key";q=1;w=60, "workspace";q=7;w=60', '"key";r=0'])
  })
})

describe('the rate of a key', () => {
  const defaults = { key: limit(600, 100), workspace: limit(3_000, 500) }

  test('is its own or that of all keys, within the largest plan of its workspaces, of which that of all is one', () => {
    const any = fc.record({ perMinute: fc.integer({ min: 1, max: 9_000 }), burst: fc.integer({ min: 1, max: 900 }) })
    const plan = fc.option(any)
    const property = fc.property(plan, fc.array(plan, { maxLength: 3 }), (own, plans) => {
      const rate = rateOfKey(own, plans, defaults)
      for (const of of ['perMinute', 'burst'] as const) {
        const most = Math.max(...plans.map((each) => (each ?? defaults.workspace)[of]))
        // One that acts nowhere has its own.
        expect(rate[of]).toBe(Math.min((own ?? defaults.key)[of], plans.length === 0 ? Infinity : most))
      }
    })
    fc.assert(property)
  })

  test('and the plan of its workspace hold, and every answer to it says so', async () => {
    await using edge = await limitedTo(defaultRates)
    const workspaces = [within(workspaceA, { rateLimit: limit(6_000, 5) })]
    const { token } = edge.service.key({ rateLimit: limit(1, 2), workspaces })
    const ask = (to = path) => edge.call('GET', to, { token })
    const answers = [await ask(), await ask(`${path}?workspaceId=acme`), await ask('/api/v1/me')]

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 429])
    for (const answer of answers) expect(policyIn(answer)).toBe('"key";q=1;w=60, "workspace";q=6000;w=60')
  })

  test('is what holds for all until the key is known; for one of several workspaces, the plan is that of the one it names', async () => {
    await using edge = await limitedTo(defaultRates)
    const several = [within(workspaceA, { rateLimit: limit(60, 5) }), within(workspaceB)]
    const { token } = edge.service.key({ bound: false, rateLimit: limit(30, 4), workspaces: several })
    const named = (id: string) => edge.call('GET', path, { token, headers: { 'x-workspace-id': id } })
    const unknown = await edge.call('GET', path)

    expect([policyIn(unknown), leftIn(unknown)]).toEqual(['"key";q=600;w=60, "workspace";q=3000;w=60', undefined])
    expect(policyIn(await edge.call('GET', '/api/v1/me', { token }))).toBe('"key";q=30;w=60')
    expect(policyIn(await named(workspaceA))).toBe('"key";q=30;w=60, "workspace";q=60;w=60')
    expect(policyIn(await named(workspaceB))).toBe('"key";q=30;w=60, "workspace";q=3000;w=60')
  })

  test('that is slower does not leave more to be owed than a bucket of it may owe', async () => {
    const limits = memoryRateLimiter(defaultRates)
    await limits.consume(subjectIn(limits, { ofKey: limit(1, 100) }), 100)

    const { quota } = await limits.consume(subjectIn(limits, { ofKey: limit(600, 10) }), 0)

    expect(quota.key).toEqual({ limit: 600, remaining: 0, nextSeconds: 3, resetSeconds: 3 })
  })
})
