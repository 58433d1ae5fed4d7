// What keys were used for reaches the service, sooner or later, and is counted once.
import { expect, test } from 'vitest'
import { parseAddress } from '#runtime/ip-address.ts'
import type { KeyUsage } from '#contract/internal/reports.ts'
import { usageCounter } from '../../../gateway/reports/key-usage.ts'
import { eventually } from '../../support/eventually.ts'
import { startEdge } from '../support/edge.ts'

const [first, second] = [parseAddress('192.0.2.1'), parseAddress('192.0.2.2')]
const use = { keyId: 'k', calls: 1, address: first, userAgent: 'test' }

test('at the latest when the gateway closes, the service knows what each key was used for', async () => {
  const edge = await startEdge()
  const { token, record } = edge.service.key()
  await edge.call('GET', '/api/v1/me', { token, headers: { 'user-agent': 'first' } })
  await edge.call('POST', '/api/mcp', { token, body: [1, 2, 3], headers: { 'user-agent': 'u'.repeat(300) } })
  await edge.gateway.close()
  expect(edge.service.usage).toEqual([
    {
      keyId: record.id,
      requests: 4,
      lastUsedAt: expect.any(String),
      lastUsedIp: '127.0.0.1',
      lastUsedUserAgent: 'u'.repeat(200),
    },
  ])
  await edge.service.close()
})

test('what could not be handed over is kept, and what comes meanwhile is added up', async () => {
  const errors: unknown[] = []
  const reports: KeyUsage[][] = []
  let away = true
  const counter = usageCounter(
    async ({ items }) => {
      if (away) throw new Error('away')
      reports.push([...items])
    },
    (error) => errors.push(error),
  )
  counter.count(use)
  await counter.flush()
  counter.count({ ...use, calls: 2, address: second, userAgent: null })
  counter.count({ ...use, keyId: 'other' })
  away = false
  await counter.close()
  expect(errors).toHaveLength(1)
  expect(reports.flat().map(({ keyId, requests, lastUsedIp }) => [keyId, requests, lastUsedIp])).toEqual([
    ['k', 1, '192.0.2.1'],
    ['k', 2, '192.0.2.2'],
    ['other', 1, '192.0.2.1'],
  ])
  await counter.flush()
  expect(reports).toHaveLength(2)
})

test('many keys are handed over in parts, and a part that fails takes the rest along to the next time', async () => {
  const sizes: number[] = []
  let away = true
  const counter = usageCounter(
    async ({ items }) => {
      sizes.push(items.length)
      if (away && sizes.length === 2) throw new Error('away')
    },
    () => {},
  )
  for (let keys = 0; keys < 2_500; keys++) counter.count({ ...use, keyId: `k${keys}` })
  await counter.flush()
  away = false
  await counter.close()
  expect(sizes).toEqual([1_000, 1_000, 1_000, 500])
})

test('a report whose answer was lost is sent again as it was, so that it can be counted once', async () => {
  const counted = new Map<string, number>()
  let answers = false
  const counter = usageCounter(
    async ({ id, items }) => {
      counted.set(
        id,
        items.reduce((sum, { requests }) => sum + requests, 0),
      )
      if (!answers) throw new Error('no answer in time')
    },
    () => {},
  )
  counter.count(use)
  await counter.flush()
  counter.count(use)
  await counter.flush()
  answers = true
  await counter.close()
  expect([...counted.values()]).toEqual([1, 1])
})

test('a key’s first use is told at the next interval, and after that once a minute', async () => {
  let now = 0
  const told: KeyUsage[] = []
  const counter = usageCounter(
    async ({ items }) => void told.push(...items),
    () => {},
    { everyMs: 5, now: () => now },
  )
  const calls = () => told.filter(({ keyId }) => keyId === 'k').map(({ requests }) => requests)
  counter.count(use)
  await eventually(() => told.length === 1, 'the first use')

  now = 59_999
  counter.count(use)
  counter.count(use)
  counter.count({ ...use, keyId: 'other' })
  await eventually(() => told.length === 2, 'the first use of another key')
  expect(calls()).toEqual([1])
  now = 60_000
  await eventually(() => told.length === 3, 'the rest of the minute')

  expect(calls()).toEqual([1, 2])
  await counter.close()
})
