import { expect, test } from 'vitest'
import { loadInTime, type LoadedDelivery } from '../../../dispatcher/queue/load-delivery.ts'

const loaded = { id: 'd' } as LoadedDelivery
const leasedFor = (ms: number) => ({
  ...{ workspaceId: 'w', id: 'd', webhookId: 'h' },
  leaseEndsAt: performance.now() + ms,
})

/** A database that is away for so many questions. */
function database(awayFor: number) {
  let asked = 0
  const load = async () => {
    asked += 1
    if (asked <= awayFor) throw new Error('database away')
    return loaded
  }
  return { load, asked: () => asked }
}

test('what is leased is loaded again for as long as the database is away', async () => {
  const { load, asked } = database(2)
  const closing = new AbortController().signal
  expect(await loadInTime(load, leasedFor(600_000), { attemptMs: 1_000, closing })).toBe(loaded)
  expect(asked()).toBe(3)
})

test('it is not once the lease leaves no time for an attempt, nor when the process ends', async () => {
  const { load, asked } = database(Infinity)
  const closing = new AbortController()
  expect(await loadInTime(load, leasedFor(500), { attemptMs: 1_000, closing: closing.signal })).toBeNull()
  expect(asked()).toBe(0)

  const loading = loadInTime(load, leasedFor(600_000), { attemptMs: 1_000, closing: closing.signal })
  closing.abort()
  await expect(loading).rejects.toThrow('database away')
  expect(asked()).toBe(1)
})
