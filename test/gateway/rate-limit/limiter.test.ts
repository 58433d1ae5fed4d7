// The rate limit: its headers, and calls that cost more than one. Over Redis:
// test/gateway/rate-limit/redis-store.test.ts.
import { defaultRates } from '#contract/rate-limits.ts'
import { describe, expect, test } from 'vitest'
import { batchItemsMax } from '#contract/collection/batch.ts'
import { memoryRateLimiter, type Rates } from '../../../gateway/rate-limit/limiter.ts'
import { eventually } from '../../support/eventually.ts'
import { atMost, operatorToken, startEdge } from '../support/edge.ts'
import { subjectIn } from '../support/rate-subject.ts'
import { workspaceA } from '../support/service.ts'
import { openWire } from '../support/wire.ts'

const batchPath = '/api/v1/projects/batch'
const batchOf = (items: number) => ({ items: Array.from({ length: items }, () => ({ action: 'create', data: {} })) })
/** Next to nothing comes back while a test runs. */
const slowly = (key: number, workspace: number): Rates => ({
  key: { perMinute: 1, burst: key },
  workspace: { perMinute: 1, burst: workspace },
})

describe('headers', () => {
  test('a key may call 600 times a minute and 100 times at once, all keys of a workspace 3,000 and 500 times', async () => {
    await using edge = await startEdge({ rateLimiter: memoryRateLimiter(defaultRates) })
    const { token } = edge.service.key()

    const { headers } = await edge.call('GET', '/api/v1/projects', { token })

    expect(headers.get('ratelimit-policy')).toBe('"key";q=600;w=60, "workspace";q=3000;w=60')
    expect(headers.get('ratelimit')).toBe('"key";r=99;t=1')
    expect(defaultRates.workspace.burst).toBe(500)
    expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
  })

  test('a key that has used up its calls is refused with the time to wait, before its workspace is looked at', async () => {
    await using edge = await startEdge({ rateLimiter: memoryRateLimiter(atMost(2)) })
    const { token } = edge.service.key()
    const ask = (path = '/api/v1/me') => edge.call('GET', path, { token })
    const [first, second] = [await ask(), await ask('/api/v1/projects?workspaceId=acme')]

    const { status, body, headers } = await ask('/api/v1/projects?workspaceId=acme')

    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=1;t=\d+$/)
    expect([second.status, second.headers.get('ratelimit')]).toEqual([400, expect.stringMatching(/^"key";r=0;t=\d+$/)])
    expect([status, body.code, body['violated-policies']]).toEqual([429, 'rate_limited', ['key']])
    expect(body.type).toBe('https://iana.org/assignments/http-problem-types#quota-exceeded')
    expect(body.retryAfterSeconds).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBe(body.retryAfterSeconds)
    expect(headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/)
    expect(headers.get('ratelimit-policy')).toBe('"key";q=1;w=60, "workspace";q=60000;w=60')
    expect((await edge.call('GET', '/api/v1/me', { token: edge.service.key().token })).status).toBe(200)
  })

  test('keys of one workspace share its limit, and what is left of it is in the header when it is the tighter one', async () => {
    await using edge = await startEdge({ rateLimiter: memoryRateLimiter(slowly(3, 3)) })
    const tokens = [edge.service.key().token, edge.service.key().token]
    const ask = (at: number, path = '/api/v1/projects') => edge.call('GET', path, { token: tokens[at]! })
    const answers = [await ask(0), await ask(1), await ask(0)]

    const refused = await ask(1)
    const outside = await ask(1, '/api/v1/me')

    expect(answers.map(({ headers }) => headers.get('ratelimit')?.replaceAll(/;t=\d+/g, ''))).toEqual([
      '"key";r=2',
      '"key";r=2, "workspace";r=1',
      '"key";r=1, "workspace";r=0',
    ])
    expect([refused.status, refused.body['violated-policies']]).toEqual([429, ['workspace']])
    expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=2;t=\d+, "workspace";r=0;t=\d+$/)
    expect(Number(refused.headers.get('retry-after'))).toBe(refused.body.retryAfterSeconds)
    expect([outside.status, outside.headers.get('ratelimit')]).toEqual([
      200,
      expect.stringMatching(/^"key";r=1;t=\d+$/),
    ])
  })

  test('Retry-After is never earlier than what RateLimit says of any limit, also of one that does not refuse', async () => {
    const rates = { ...slowly(3, 3), workspace: { perMinute: 3, burst: 3 } }
    await using edge = await startEdge({ rateLimiter: memoryRateLimiter(rates) })
    const [one, other] = [edge.service.key().token, edge.service.key().token]
    const ask = (token: string) => edge.call('GET', '/api/v1/projects', { token })
    const served = [await ask(one), await ask(other), await ask(other)]

    const refused = await ask(one)

    expect(served[0]?.headers.get('ratelimit')).toBe('"key";r=2;t=60')
    const wait = Number(refused.headers.get('retry-after'))
    expect(refused.headers.get('ratelimit')).toBe(`"key";r=2;t=${wait}, "workspace";r=0;t=${wait}`)
    expect(wait).toBeLessThanOrEqual(20)
  })

  test('a workspace that the key is not for pays nothing', async () => {
    const limits = memoryRateLimiter(slowly(9, 9))
    await using edge = await startEdge({ rateLimiter: limits })
    const stranger = edge.service.key({ workspaces: [] })

    await edge.call('GET', `/api/v1/projects?workspaceId=${workspaceA}`, { token: stranger.token })

    const { quota } = await limits.consume(subjectIn(limits, { keyId: 'another', workspaceId: workspaceA }), 1)
    expect(quota.workspace?.remaining).toBe(8)
  })

  test('a refusal before the limit is looked at names the policies all the same', async () => {
    await using edge = await startEdge()
    const { headers } = await edge.call('GET', '/api/v1/projects')

    expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([expect.any(String), null])
  })

  test('of what the gateway answers an MCP client, the headers say the same', async () => {
    await using edge = await startEdge({ rateLimiter: memoryRateLimiter(slowly(1, 9)) })
    const { token } = edge.service.key()
    const ask = () => edge.call('POST', '/api/mcp', { token, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })

    for (const { headers } of [await ask(), await ask()]) {
      expect(headers.get('ratelimit-policy')).toBe('"key";q=1;w=60, "workspace";q=1;w=60')
      expect(headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/)
    }
  })
})

describe('calls that cost more than one', () => {
  test('those that do not fit take nothing, from neither bucket', async () => {
    const limits = memoryRateLimiter(slowly(10, 12))

    const taken = [
      await limits.consume(subjectIn(limits), 8),
      await limits.consume(subjectIn(limits), 3),
      await limits.consume(subjectIn(limits), 2),
    ]

    expect(taken.map(({ violated, quota }) => [violated, quota.key.remaining, quota.workspace?.remaining])).toEqual([
      [[], 2, 4],
      [['key'], 2, 4],
      [[], 0, 2],
    ])
    expect((await limits.consume(subjectIn(limits), 5)).violated).toEqual(['key', 'workspace'])
  })

  test('a batch counts as so many calls as it has items, in both buckets, and the caller sees what is left', async () => {
    const limits = memoryRateLimiter(slowly(10, 20))
    await using edge = await startEdge({ rateLimiter: limits })
    const { token, record } = edge.service.key()

    const { status, headers } = await edge.call('POST', batchPath, { token, body: batchOf(4) })

    expect([status, edge.service.calls.map(({ body }) => body)]).toEqual([200, [JSON.stringify(batchOf(4))]])
    expect(headers.get('ratelimit')).toMatch(/^"key";r=6;t=\d+$/)
    const { quota } = await limits.consume(subjectIn(limits, { keyId: record.id, workspaceId: workspaceA }), 1)
    expect([quota.key.remaining, quota.workspace?.remaining]).toEqual([5, 15])
  })

  test('batches that come together and do not fit together: what is refused never runs and costs nothing', async () => {
    const limits = memoryRateLimiter(slowly(10, 50))
    await using edge = await startEdge({ rateLimiter: limits })
    const { token, record } = edge.service.key()
    const ask = () => edge.call('POST', batchPath, { token, body: batchOf(4) })

    const answers = await Promise.all([ask(), ask(), ask(), ask()])

    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429])
    expect(edge.service.calls).toHaveLength(2)
    for (const { body, headers } of refused) {
      expect([body.code, body['violated-policies']]).toEqual(['rate_limited', ['key']])
      // Four are needed, two are there, and one comes back in a minute.
      expect(body.retryAfterSeconds).toBeGreaterThan(60)
      expect(Number(headers.get('retry-after'))).toBe(body.retryAfterSeconds)
      expect(headers.get('ratelimit')).toMatch(/^"key";r=[012];t=\d+$/)
    }
    const { quota } = await limits.consume(subjectIn(limits, { keyId: record.id, workspaceId: workspaceA }), 2)
    expect([quota.key.remaining, quota.workspace?.remaining]).toEqual([0, 40])
  })

  test('a key that has not called for a while may send the largest batch', async () => {
    await using edge = await startEdge({ rateLimiter: memoryRateLimiter(defaultRates) })
    const { token } = edge.service.key()

    const [largest, another] = [
      await edge.call('POST', batchPath, { token, body: batchOf(batchItemsMax) }),
      await edge.call('POST', batchPath, { token, body: batchOf(batchItemsMax) }),
    ]

    expect([largest.status, another.status, edge.service.calls.length]).toEqual([200, 429, 1])
    expect(another.body.retryAfterSeconds).toBeLessThanOrEqual(10)
  })

  test('a batch that arrives slowly takes its tokens when it is there, and runs then or never', async () => {
    await using edge = await startEdge({ rateLimiter: memoryRateLimiter(slowly(5, 50)) })
    const { token } = edge.service.key()
    const text = JSON.stringify(batchOf(4))
    const wire = await openWire(edge.gateway.port)
    const head = ['host: gateway', 'content-type: application/json', `content-length: ${text.length}`]
    wire.send(
      [`POST ${batchPath} HTTP/1.1`, `authorization: Bearer ${token}`, ...head, '', text.slice(0, 9)].join('\r\n'),
    )
    await eventually(() => edge.service.asked.length === 1, 'the call is checked')
    expect((await edge.call('POST', batchPath, { token, body: batchOf(3) })).status).toBe(200)

    wire.send(text.slice(9))

    expect(await wire.hear('"code":"rate_limited"')).toContain('429')
    expect(edge.service.calls).toHaveLength(1)
  })

  test('calls of the operator take no tokens', async () => {
    await using edge = await startEdge({ rateLimiter: memoryRateLimiter(atMost(1)) })

    for (let calls = 0; calls < 3; calls++) {
      const { status, headers } = await edge.call('GET', '/settings/api/workspaces', { token: operatorToken })
      expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([200, null, null])
    }
  })
})
