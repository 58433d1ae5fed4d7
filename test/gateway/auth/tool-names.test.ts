// How tools are to be named, by the address, the header and the key.
import { expect, test, afterAll, describe } from 'vitest'
import {
  chosenToolNames,
  listedNames,
  rememberedMs,
  type NamedMessage,
  type SharedNames,
  clientsPerKeyMax,
  redisNames,
} from '../../../gateway/auth/tool-names.ts'
import { codeOf } from '../support/checks.ts'
import { randomUUID } from 'node:crypto'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'

const ofKey = { toolNames: 'dots' } as const
const header = (value: string) => ({ 'x-mcp-tool-names': value })

test.each([
  ['', {}, 'dots'],
  ['', header('underscores'), 'underscores'],
  ['', header('underscore'), 'underscores'],
  ['', header('unreadable'), 'dots'],
  ['toolNames=auto', header('underscores'), 'auto'],
  ['tool%4eames=underscores', {}, 'underscores'],
  ['&toolNames=dots', header('underscore'), 'dots'],
])('the address "%s" and the headers %j choose %s, before the key', (query, headers, expected) => {
  expect(chosenToolNames(ofKey, query, headers)).toBe(expected)
})

test.each([
  ['toolNames=camel', 'invalid_parameter'],
  ['toolNames=', 'invalid_parameter'],
  ['toolNames=dots&toolNames=dots', 'invalid_parameter'],
  ['toolnames=dots', 'unknown_parameter'],
  ['toolNames=dots&x=1', 'unknown_parameter'],
  ['%zz', 'unknown_parameter'],
])('the address "%s" is refused: %s', (query, code) => {
  expect(codeOf(() => chosenToolNames(ofKey, query, {}))).toBe(code)
})

// Which names a client is listed that does not name itself in this message: what it, or another of its key and
// User-Agent, has said within the hour; here, at another gateway, and without Redis.

const { redis } = services()
const opened: SharedNames[] = []
afterAll(async () => {
  for (const each of opened) await each.close()
})

/** Over one Redis, or none, on one clock that the test moves. */
function clocked(url: string | null) {
  let now = 1_800_000_000_000
  const brand = `test-${randomUUID().slice(0, 8)}`
  const gateway = async () => {
    const shared =
      url === null
        ? null
        : redisNames(
            url,
            brand,
            () => {},
            () => now,
          )
    if (shared !== null) opened.push(shared)
    if (shared !== null && url === redis) await eventually(() => isThere(shared), 'Redis')
    return listedNames(shared, () => now)
  }
  return { gateway, wait: (ms: number) => (now += ms) }
}

const isThere = (shared: SharedNames) =>
  shared.read({ keyId: '', userAgentHash: '' }).then(
    () => true,
    () => false,
  )

const from = (userAgent: string | undefined, more: Partial<NamedMessage> = {}): NamedMessage => ({
  keyId: 'key-1',
  userAgent,
  client: null,
  handshake: false,
  showsNames: true,
  ...more,
})
const handshake = (userAgent: string, client: string): NamedMessage => from(userAgent, { client, handshake: true })

const places: [string, string | null][] = [['in one gateway', null]]
if (redis !== null) places.push(['in Redis', redis])

describe.each(places)('a client is remembered %s', (_where, url) => {
  test('by its key and User-Agent, for an hour', async () => {
    const { gateway, wait } = clocked(url)
    const [one, other] = [await gateway(), await gateway()]
    const next = url === null ? one : other

    expect(await one.decide(from('node'))).toBe('dots')
    expect(await one.decide(handshake('node', 'my-app'))).toBe('underscores')

    expect(await next.decide(from('node'))).toBe('underscores')
    expect(await next.decide(from('python-httpx/0.28'))).toBe('dots')
    expect(await next.decide(from('node', { keyId: 'key-2' }))).toBe('dots')
    expect(await next.decide(from(undefined))).toBe('dots')
    wait(rememberedMs - 1_000)
    expect(await next.decide(from('node'))).toBe('underscores')
    wait(1_001)
    expect(await next.decide(from('node'))).toBe('dots')
  })

  test('as the one that has named itself last', async () => {
    const { gateway } = clocked(url)
    const [one, other] = [await gateway(), await gateway()]
    const next = url === null ? one : other

    await one.decide(handshake('node', 'my-app'))
    await next.decide(handshake('node', 'mcp-inspector'))

    expect(await one.decide(from('node'))).toBe('dots')
    expect(await next.decide(from('node'))).toBe('dots')
  })
})

test('a choice, a client that names itself and a session need no memory', async () => {
  const names = listedNames({ write: never, read: never, close: async () => {} })

  expect(await names.decide(from('node', { chosen: 'underscores' }))).toBe('underscores')
  expect(await names.decide(from('node', { client: 'my-app' }))).toBe('underscores')
  expect(await names.decide(from('node', { sessionId: 'underscores-1' }))).toBe('underscores')
})

test('calls whose answer shows no names ask nobody', async () => {
  let asked = 0
  const shared: SharedNames = {
    write: async () => {},
    read: async () => ((asked += 1), null),
    close: async () => {},
  }
  const names = listedNames(shared)

  await names.decide(from('node', { showsNames: false }))
  expect(asked).toBe(0)
  await names.decide(from('node'))
  expect(asked).toBe(1)
})

test('a client that names itself in each message is told to the others once in ten minutes', async () => {
  let [now, told] = [1_800_000_000_000, 0]
  const shared: SharedNames = { write: async () => void (told += 1), read: async () => null, close: async () => {} }
  const names = listedNames(shared, () => now)

  for (let calls = 0; calls < 5; calls++) await names.decide(from('node', { client: 'my-app' }))
  expect(told).toBe(1)
  now += 600_000
  await names.decide(from('node', { client: 'my-app' }))
  expect(told).toBe(2)
})

test('while Redis is away each gateway knows what it has seen itself', async () => {
  const { gateway } = clocked('redis://127.0.0.1:1')
  const [one, other] = [await gateway(), await gateway()]

  expect(await one.decide(handshake('node', 'my-app'))).toBe('underscores')
  expect(await one.decide(from('node'))).toBe('underscores')
  expect(await other.decide(from('node'))).toBe('dots')
})

test.skipIf(redis === null)('a key under ever new names is remembered for the latest of them alone', async () => {
  const { gateway, wait } = clocked(redis)
  const [one, other] = [await gateway(), await gateway()]
  for (let each = 0; each <= clientsPerKeyMax; each++) {
    await one.decide(handshake(`agent/${each}`, 'my-app'))
    wait(1)
  }

  expect(await other.decide(from('agent/0'))).toBe('dots')
  expect(await other.decide(from('agent/1'))).toBe('underscores')
  expect(await other.decide(from(`agent/${clientsPerKeyMax}`))).toBe('underscores')
})

test('a gateway holds ten thousand clients at most', async () => {
  const names = listedNames(null)
  for (let each = 0; each < 10_050; each++) await names.decide(handshake(`agent/${each}`, 'my-app'))

  expect(names.size()).toBe(10_000)
  expect(await names.decide(from('agent/0'))).toBe('dots')
  expect(await names.decide(from('agent/10049'))).toBe('underscores')
})

const never = () => Promise.reject(new Error('Nobody is to be asked.'))
