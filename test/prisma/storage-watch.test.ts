import { expect, test } from 'vitest'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { watchStorage } from '#prisma/storage-watch.ts'
import { isDiskFull } from '#prisma/connection-loss.ts'

const adapterError = (cause: object) => Object.assign(new Error('failed'), { name: 'DriverAdapterError', cause })
const full = adapterError({ originalCode: '53100', originalMessage: 'could not extend file' })
const query = { sql: 'SELECT 1', args: [], argTypes: [] }

/** Each of its statements, and each commit, fails as `error` says. */
function given() {
  let now = 0
  let error: Error | null = null
  const act = async () => {
    if (error !== null) throw error
  }
  const queryable = () => ({ queryRaw: act, executeRaw: act, commit: act })
  const adapter = { ...queryable(), startTransaction: async () => queryable() }
  const factory = { connect: async () => adapter } as unknown as SqlDriverAdapterFactory
  const storage = watchStorage(factory, () => now)
  return {
    storage,
    fail: (next: Error | null) => void (error = next),
    wait: (ms: number) => void (now += ms),
  }
}

test('the disk is full for a minute after the last statement that found no room, in and out of transactions', async () => {
  const { storage, fail, wait } = given()
  const adapter = await storage.factory.connect()
  const transaction = await adapter.startTransaction()
  const ways = [
    () => adapter.queryRaw(query),
    () => adapter.executeRaw(query),
    () => transaction.queryRaw(query),
    () => transaction.executeRaw(query),
    () => transaction.commit(),
  ]
  expect(storage.isFull()).toBe(false)

  for (const way of ways) {
    fail(full)
    await expect(way()).rejects.toBe(full)
    wait(59_999)
    expect(storage.isFull()).toBe(true)
    wait(1)
    expect(storage.isFull()).toBe(false)
    fail(adapterError({ originalCode: '23505' }))
    await expect(way()).rejects.toThrow()
    expect(storage.isFull()).toBe(false)
  }
})

test.each([
  [full, true],
  [adapterError({ originalCode: '58030', originalMessage: 'could not write: No space left on device' }), true],
  [Object.assign(new Error('ENOSPC: No space left on device, write'), { code: 'ENOSPC' }), true],
  [adapterError({ originalCode: '53200', originalMessage: 'out of memory' }), false],
  ['No space left on device', false],
])('%s: whether it says that the disk is full', (thrown, says) => {
  expect(isDiskFull(thrown)).toBe(says)
})
