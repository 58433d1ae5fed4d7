// What keys were used for reaches the service, sooner or later.
import { expect, test } from 'vitest'
import { parseAddress } from '#runtime/ip-address.ts'
import type { KeyUsage } from '#contract/internal/reports.ts'
import { usageCounter } from '../../../gateway/reports/key-usage.ts'
import { eventually } from '../../support/eventually.ts'
import { startEdge } from '../support/edge.ts'

const use = { keyId: 'k', calls: 1, address: parseAddress('192.0.2.1'), userAgent: 'test' }

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

test('a key’s first use is told at the next interval, and after that once a minute', async () => {
  let now = 0
  const told: KeyUsage[] = []
  const counter = usageCounter(
    async ({ items }) => void told.push(...items),
    () => {},
    { everyMs: 5, now: () => now },
  )
  const calls = () =>
    told.filter(({ keyId }) => keyId === 'k').map(({ requests, lastUsedIp }) => `${requests} ${lastUsedIp}`)
  counter.count(use)
  await eventually(() => told.length === 1, 'the first use')

  now = 59_999
  counter.count(use)
  counter.count({ ...use, calls: 2, address: parseAddress('192.0.2.2'), userAgent: null })
  counter.count({ ...use, keyId: 'other' })
  await eventually(() => told.length === 2, 'the first use of another key')
  expect(calls()).toEqual(['1 192.0.2.1'])
  now = 60_000
  await eventually(() => told.length === 3, 'the rest of the minute')

  expect(calls()).toEqual(['1 192.0.2.1', '3 192.0.2.2'])
  await counter.close()
})
