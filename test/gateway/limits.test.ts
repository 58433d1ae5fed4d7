// The rate limit: what callers are told, that gateways count together, and that a Redis in trouble troubles nobody.
import { afterEach, expect, test } from 'vitest'
import { parseAddress } from '#runtime/address.ts'
import { failedTries, memoryLimits, redisLimits, type KeyLimits } from '../../gateway/limits.ts'
import { eventually } from '../support/eventually.ts'
import { services, startRedis } from '../support/services.ts'
import { freePort, installed, launch } from '../support/servers/server.ts'
import { redisAnswers } from '../support/servers/redis.ts'
import { startEdge } from './support/edge.ts'

const redisBinary = installed('/usr/bin/redis-server', '/usr/local/bin/redis-server')
const opened: KeyLimits[] = []
afterEach(() => Promise.all(opened.splice(0).map((limits) => limits.close())))
const overRedis = (url: string, brand: string, perMinute: number): KeyLimits => {
  const limits = redisLimits(url, brand, perMinute, () => {})
  opened.push(limits)
  return limits
}
const brandOfTest = () => `test-${crypto.randomUUID()}`

test('a key that has used up its minute is refused with the time to wait, before its workspace is looked at', async () => {
  await using edge = await startEdge({ limits: memoryLimits(2) })
  const { token } = edge.service.key()
  const ask = (path = '/api/v1/me') => edge.call('GET', path, { token })
  expect((await ask()).headers.get('ratelimit')).toBe('"key";r=1;t=60')
  expect((await ask('/api/v1/projects?workspaceId=acme')).headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/)
  const { status, body, headers } = await ask('/api/v1/projects?workspaceId=acme')
  expect([status, body.code, body['violated-policies']]).toEqual([429, 'rate_limited', ['key']])
  expect(Number(headers.get('retry-after'))).toBe(body.retryAfterSeconds)
  expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([
    '"key";q=2;w=60',
    `"key";r=0;t=${body.retryAfterSeconds}`,
  ])
  expect((await edge.call('GET', '/api/v1/me', { token: edge.service.key().token })).status).toBe(200)
})

test('a batch that does not fit costs one call, not what is left', async () => {
  const limits = memoryLimits(10)
  expect(await limits.take('k', 8)).toMatchObject({ allowed: true, remaining: 2 })
  expect(await limits.take('k', 3)).toMatchObject({ allowed: false })
  expect(await limits.take('k', 1)).toMatchObject({ allowed: true, remaining: 0 })
  expect(await limits.take('k', 1)).toMatchObject({ allowed: false })
})

test('wrong tries count for an IPv4 address and for a whole IPv6 network', async () => {
  const tries = failedTries(1)
  await tries.failed(parseAddress('192.0.2.1'))
  await tries.failed(parseAddress('2001:db8::1'))
  await expect(tries.check(parseAddress('192.0.2.1'))).rejects.toMatchObject({ code: 'rate_limited' })
  await expect(tries.check(parseAddress('2001:db8::ffff'))).rejects.toMatchObject({ code: 'rate_limited' })
  await tries.check(parseAddress('192.0.2.2'))
  await tries.check(parseAddress('2001:db8:0:1::1'))
})

test.skipIf(services().redis === null)('two gateways count together', async () => {
  const brand = brandOfTest()
  const [one, two] = [overRedis(services().redis!, brand, 3), overRedis(services().redis!, brand, 3)]
  await countTogether(one, two)
  const taken = [await one.take('k', 1), await two.take('k', 1), await one.take('k', 1), await two.take('k', 1)]
  expect(taken.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ])
})

test.skipIf(redisBinary === null)(
  'a Redis that was killed neither fails nor holds up a call, and counts again when it is back',
  async () => {
    const server = (await startRedis())!
    const brand = brandOfTest()
    const [one, two] = [overRedis(server.url, brand, 1_000), overRedis(server.url, brand, 1_000)]
    await countTogether(one, two)
    await server.stop('SIGKILL')
    for (let calls = 0; calls < 50; calls++) expect(await timed(one)).toBeLessThan(heldUpMs)
    await server.start()
    await countTogether(one, two)
    await server.close()
  },
)

test.skipIf(redisBinary === null)(
  'a Redis that hangs holds up the first calls for a moment, the later ones not at all, and counts again when it goes on',
  async () => {
    const port = await freePort()
    const redis = launch(redisBinary!, ['--port', String(port), '--save', ''])
    const url = `redis://127.0.0.1:${port}`
    await eventually(
      () =>
        redisAnswers(url).then(
          () => true,
          () => false,
        ),
      'Redis',
    )
    const brand = brandOfTest()
    const [one, two] = [overRedis(url, brand, 1_000), overRedis(url, brand, 1_000)]
    await countTogether(one, two)
    redis.kill('SIGSTOP')
    expect(await timed(one)).toBeLessThan(heldUpMs)
    await eventually(async () => (await timed(one)) < 5, 'Redis is left out', 3_000)
    for (let calls = 0; calls < 50; calls++) expect(await timed(one)).toBeLessThan(heldUpMs)
    redis.kill('SIGCONT')
    await countTogether(one, two)
    redis.kill('SIGKILL')
  },
)

/** The command's 50 ms, and room for a busy machine. */
const heldUpMs = 150

/** Waits until what one takes is missing for the other. */
async function countTogether(one: KeyLimits, two: KeyLimits): Promise<void> {
  const key = crypto.randomUUID()
  await eventually(async () => {
    const [first, second] = [await one.take(key, 1), await two.take(key, 1)]
    return second.remaining === first.remaining - 1
  }, 'both count in Redis')
}

async function timed(limits: KeyLimits): Promise<number> {
  const startedAt = performance.now()
  expect((await limits.take('k', 1)).allowed).toBe(true)
  return performance.now() - startedAt
}
