import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { openSession } from '#prisma/sql-session.ts'
import { openWatch, watchStorage } from '#prisma/database-watch.ts'
import { onPostgres } from '../support/database-engines.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { isDiskFull } from '#prisma/database-errors.ts'

async function watchThroughProxy(application_name = 'watched') {
  const proxy = await startTcpProxy(services().postgres ?? '')
  let bytesReceived = 0
  // At first, so that a slow start is no silence.
  let isTalking = true
  const seen: string[] = []
  const watch = openWatch({
    config: { connectionString: proxy.url, application_name },
    bytesReceived: () => (isTalking ? ++bytesReceived : bytesReceived),
    onAway: () => void seen.push('away'),
    onBack: () => void seen.push('back'),
    everyMs: 10,
    silenceMs: 300,
  })
  onTestFinished(async () => {
    await proxy[Symbol.asyncDispose]()
    await watch.close()
  })
  return { proxy, watch, seen, bytesReceived: () => bytesReceived, talk: (talks: boolean) => void (isTalking = talks) }
}

onPostgres(() => {
  test('silence is told once, and once that it is over; while other connections get anything it is none', async () => {
    const { proxy, watch, seen, bytesReceived, talk } = await watchThroughProxy()

    proxy.freeze()
    const before = bytesReceived()
    await eventually(() => bytesReceived() > before + 6, 'many looks')
    expect(watch.isAway()).toBe(false)
    talk(false)
    await eventually(watch.isAway, 'the silence')
    talk(true)
    proxy.thaw()
    await eventually(() => !watch.isAway(), 'an answer')

    expect(seen).toEqual(['away', 'back'])
  })

  test('the loss of the connection that it watches on says nothing of the database', async () => {
    const application = randomUUID()
    const { seen, watch } = await watchThroughProxy(application)
    const admin = await openSession({ url: services().postgres ?? '' })
    onTestFinished(admin.close)
    const connection = async () => {
      const [row] = await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name = '${application}'`,
      )
      return row?.pid
    }
    const first = await eventually(connection, 'a connection')

    await admin.query('SELECT pg_terminate_backend($1)', [first])

    await eventually(async () => ((await connection()) ?? first) !== first, 'another connection')
    expect(watch.isAway()).toBe(false)
    expect(seen).toEqual([])
  })
})

const adapterError = (cause: object) => Object.assign(new Error('failed'), { name: 'DriverAdapterError', cause })
const full = adapterError({ originalCode: '53100', originalMessage: 'could not extend file' })
const query = { sql: 'SELECT 1', args: [], argTypes: [] }

test('the disk is full for a minute after the last statement that found no room, in and out of transactions', async () => {
  let [now, error] = [0, full]
  const act = () => Promise.reject(error)
  const queryable = { queryRaw: act, executeRaw: act, commit: act }
  const factory = { connect: async () => ({ ...queryable, startTransaction: async () => ({ ...queryable }) }) }
  const storage = watchStorage(factory as unknown as SqlDriverAdapterFactory, () => now)
  const adapter = await storage.factory.connect()
  const transaction = await adapter.startTransaction()
  expect(storage.isFull()).toBe(false)

  for (const way of [
    () => adapter.queryRaw(query),
    () => adapter.executeRaw(query),
    () => transaction.queryRaw(query),
    () => transaction.executeRaw(query),
    () => transaction.commit(),
  ]) {
    error = full
    await expect(way()).rejects.toBe(full)
    now += 59_999
    expect(storage.isFull()).toBe(true)
    now += 1
    expect(storage.isFull()).toBe(false)
    error = adapterError({ originalCode: '23505' })
    await expect(way()).rejects.toBe(error)
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
