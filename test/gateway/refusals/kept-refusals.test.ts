// How many refusals are kept, for how long, and what happens to those that find no room.
import { expect, test } from 'vitest'
import { Fault, faultCodes } from '#contract/faults/fault.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { secretLabels } from '#contract/api-keys.ts'
import * as kept from '../../../gateway/refusals/kept-refusals.ts'
import { refusedBy } from '../../../gateway/refusals/refusal-record.ts'
import { openContext } from '../../../gateway/request/request-context.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'

const { keptRefusals, perMinuteMax, redisRefusals } = kept

const refused = (requestId: string, detail = 'The key has expired.') => ({
  method: 'GET',
  route: '/api/v1/me',
  context: openContext(requestId, null),
  fault: new Fault('api_key_expired', detail),
})

test('a refusal is kept for an hour', async () => {
  let now = Date.now()
  const refusals = keptRefusals(null, () => now)
  refusals.record(refused('r'))

  now += 3_600_000
  expect(await refusals.find('r')).toMatchObject({ code: 'api_key_expired' })
  now += 1
  expect(await refusals.find('r')).toBeNull()
})

test('of more than ten thousand the oldest are gone, and long details are cut', async () => {
  const refusals = keptRefusals(null)
  for (let n = 0; n <= 10_000; n++) refusals.record(refused(`r${n}`, n === 10_000 ? 'x'.repeat(10_000) : ''))

  expect([await refusals.find('r0'), (await refusals.find('r1')) === null]).toEqual([null, false])
  expect((await refusals.find('r10000'))?.detail).toHaveLength(500)
  expect(refusals.stats()).toEqual({ held: 10_000, dropped: 0 })
})

test('neither an id nor a detail with a token in it is kept', async () => {
  const { token } = makeToken(secretLabels.workspace)
  const refusals = keptRefusals(null)
  refusals.record(refused(token))
  refusals.record(refused('r', `There is no ${token} here.`))

  expect(await refusals.find(token)).toBeNull()
  expect((await refusals.find('r'))?.detail).not.toContain(token)
})

test('nothing waits for a store that hangs: what finds no room is dropped and counted, and is known here', async () => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const batches: (readonly kept.StoredRefusal[])[] = []
  const refusals = keptRefusals({
    write: (batch) => (batches.push(batch), promise),
    find: () => Promise.reject(new Error('away')),
    close: async () => {},
  })
  for (let n = 0; n < 3_000; n++) refusals.record(refused(`r${n}`))

  await eventually(() => batches.length > 0, 'the first batch')
  expect(refusals.stats().dropped).toBeGreaterThanOrEqual(800)
  expect(await refusals.find('r2999')).toMatchObject({ requestId: 'r2999' })
  expect(await refusals.find('unknown')).toBeNull()
  resolve(3)
  const before = refusals.stats().dropped
  await refusals.close()
  expect(batches.flat().length + before).toBe(3_000)
  expect(refusals.stats().dropped).toBe(before + 3 * batches.length)
})

test.skipIf(services().redis === null)('Redis holds a thousand of a minute, and the latest of an id', async () => {
  let now = Date.now()
  const ignore = () => {}
  const redis = redisRefusals(services().redis!, `test-${crypto.randomUUID()}`, ignore, () => now)
  const some = (count: number, from = 0): kept.StoredRefusal[] =>
    Array.from({ length: count }, (_, at) => ({ requestId: `r${from + at}`, text: `${from + at}` }))
  const isWritten = () => redis.write(some(1)).then(() => true, ignore)
  await eventually(isWritten, 'the connection')

  expect(await redis.write(some(perMinuteMax))).toBe(0)
  expect(await redis.write([...some(2, perMinuteMax), { requestId: 'r7', text: 'again' }])).toBe(2)
  expect([await redis.find('r7'), await redis.find(`r${perMinuteMax}`)]).toEqual(['again', null])
  now += 59 * 60_000
  expect(await redis.write([{ requestId: 'later', text: 'later' }])).toBe(0)

  expect([await redis.find('r8'), await redis.find('later')]).toEqual(['8', 'later'])
  now += 2 * 60_000
  expect([await redis.find('r8'), await redis.find('later')]).toEqual([null, 'later'])
  await redis.close()
})

test('every code of the gateway’s own has a question that it answers', () => {
  const fromBehind = faultCodes.filter((code) => refusedBy(code) === 'other')

  const ofGateway = fromBehind.filter((code) => /key|workspace_|ip_|route|rate|surface|scope|media|body/.test(code))
  expect(ofGateway).toEqual(['invalid_idempotency_key', 'idempotency_key_reused'])
})
