// How often an address may be wrong, and that being right is not held up by it.
import { expect, test, vi } from 'vitest'
import { parseAddress } from '#runtime/ip-address.ts'
import { failedCredentials } from '../../../gateway/rate-limit/failed-credentials.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { operatorToken, startEdge } from '../support/edge.ts'

const here = parseAddress('192.0.2.1')
/** Of so many look-ups while locked, none comes back while a test runs. */
const once = { lookUps: 1, seconds: 3_600 }

test('of guesses that are made at once, no more are looked up than one after the other', async () => {
  const failed = failedCredentials(3, once)
  const lookUp = vi.fn<() => Promise<string | null>>(async () => null)
  const guess = () => failed.lookUp(here, lookUp).catch(({ code }) => code as string)

  const answers = await Promise.all(Array.from({ length: 50 }, guess))

  // Three that are counted, and the one that an address has left when they are used up.
  expect(lookUp).toHaveBeenCalledTimes(4)
  expect(answers).toEqual([...Array(4).fill(null), ...Array(46).fill('rate_limited')])
})

test('keys that exist cost nothing, however many come at once, and are found while their address is locked', async () => {
  const failed = failedCredentials(1, once)
  const lookUp = (found: string | null) => failed.lookUp(here, async () => found)

  const keys = await Promise.all(Array.from({ length: 200 }, (_, at) => lookUp(`key ${at}`)))
  await lookUp(null)
  const whileLocked = [await lookUp('key'), await lookUp('key'), await lookUp('key'), await lookUp(null)]

  expect([keys.length, keys[199], ...whileLocked]).toEqual([200, 'key 199', 'key', 'key', 'key', null])
  const members = { 'violated-policies': ['failed-credentials'] }
  await expect(lookUp('key')).rejects.toMatchObject({ code: 'rate_limited', members })
})

test('an address that is locked has questions again after a moment', async () => {
  const failed = failedCredentials(1, { lookUps: 1, seconds: 1 })
  await failed.lookUp(here, async () => null)
  await failed.lookUp(here, async () => null)

  await expect.poll(() => failed.lookUp(here, async () => 'key').catch(() => null), { timeout: 15_000 }).toBe('key')
})

test('a service that cannot be asked is nobody’s wrong guess', async () => {
  const failed = failedCredentials(1, once)
  const away = () => failed.lookUp(here, async () => Promise.reject(new Error('away')))

  for (let times = 0; times < 5; times++) await expect(away()).rejects.toThrow('away')
  expect(await failed.lookUp(here, async () => 'key')).toBe('key')
})

test('wrong tries count for an IPv4 address and for a whole IPv6 network', async () => {
  const failed = failedCredentials(1, once)
  const refused = (address: string) => failed.refused(parseAddress(address))
  await refused('192.0.2.1')
  await refused('2001:db8::1')

  await expect(refused('192.0.2.1')).rejects.toMatchObject({ code: 'rate_limited' })
  await expect(refused('2001:db8::ffff')).rejects.toMatchObject({ code: 'rate_limited' })
  await refused('192.0.2.2')
  await refused('2001:db8:0:1::1')
})

test('a session that was right once is looked up without a limit behind the address of an office, until it has ended', async () => {
  const failed = failedCredentials(1, once)
  const lookUp = (hash: string, found: string | null) => failed.lookUp(here, async () => found, hash)
  await lookUp('mine', 'session')
  // A colleague uses up what the address has.
  await lookUp('guess', null)
  await lookUp('guess', null)

  const mine = await Promise.all(Array.from({ length: 20 }, () => lookUp('mine', 'session')))
  await expect(lookUp('guess', null)).rejects.toMatchObject({ code: 'rate_limited' })
  const ended = await lookUp('mine', null)

  expect(new Set(mine)).toEqual(new Set(['session']))
  expect(ended).toBeNull()
  await expect(lookUp('mine', null)).rejects.toMatchObject({ code: 'rate_limited' })
})

const me = '/api/v1/me'

test('a service that cannot be asked is answered 503, never 401', async () => {
  await using edge = await startEdge()
  const { token } = edge.service.key()
  edge.service.beforeKey = async () => 500
  const failing = await edge.call('GET', me, { token })
  expect([failing.status, failing.body.code, failing.headers.get('retry-after')]).toEqual([503, 'unavailable', '1'])
  await edge.service.close()
  expect((await edge.call('GET', me, { token: makeToken('wsk').token })).body.code).toBe('unavailable')
})

test('wrong credentials are limited by address, and stop nobody else who calls from there', async () => {
  await using edge = await startEdge({ failedCredentialsPerMinute: 3 })
  const known = edge.service.key()
  await edge.call('GET', me, { token: known.token })
  for (let tries = 0; tries < 3; tries++) expect((await edge.call('GET', me, { token: 'junk' })).status).toBe(401)

  const { status, body, headers } = await edge.call('GET', me, { token: 'junk' })
  expect([status, body.code, Number(headers.get('retry-after'))]).toEqual([429, 'rate_limited', body.retryAfterSeconds])
  expect((await edge.call('GET', me, { token: makeToken('wsk').token })).body.code).toBe('rate_limited')
  expect((await edge.call('GET', '/settings/api/workspaces', { token: 'junk' })).body.code).toBe('rate_limited')

  expect((await edge.call('GET', '/settings/api/workspaces', { token: operatorToken })).status).toBe(200)
  expect((await edge.call('GET', me, { token: known.token })).status).toBe(200)
  expect((await edge.call('GET', me, { token: edge.service.key().token })).status).toBe(200)
})
