// What a process asks of a Postgres: connections, by whom, and how many statements each of them keeps.
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '#prisma/client.ts'
import type { Postgres } from '#prisma/pool.ts'
import { namedStatementsMax } from '#prisma/statement-sending.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { transact, withoutWaiting } from '#prisma/transaction.ts'
import { onPostgres, sharedDatabase } from '../support/database-engines.ts'
import { workspaceRow } from './rows.ts'
import { randomUUID } from 'node:crypto'
import { openSession } from '#prisma/sql-session.ts'
import { openWatch, watchStorage } from '#prisma/database-watch.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { isDiskFull } from '#prisma/database-errors.ts'

const keptOn = async (db: Database): Promise<{ name: string; statement: string }[]> =>
  db.$queryRaw`SELECT name, statement FROM pg_prepared_statements`

onPostgres(() => {
  const database = sharedDatabase('postgres')
  const open = async (options: Omit<Postgres, 'url'>) => {
    const { db, close } = await openDatabase({ url: database.url, ...options })
    onTestFinished(close)
    return db
  }

  test('connections say of which tier they are, and are no more than were asked for, however much there is to do', async () => {
    const db = await open({ application: 'dispatcher', connections: 3 })
    const asking = () => db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid, pg_sleep(0.01)::text`

    const seen = await Promise.all(Array.from({ length: 20 }, asking))

    expect(new Set(seen.flat().map(({ pid }) => pid)).size).toBe(3)
    expect(await db.$queryRaw`SHOW application_name`).toEqual([{ application_name: 'dispatcher' }])
  })

  test('whoever uses the connection of a caller who has gone is not cancelled in his place', async () => {
    const db = await open({ connections: 1 })
    const outcomes: string[] = []

    for (let n = 0; n < 100; n++) {
      const gone = new AbortController()
      const sleep = (tx: Prisma.TransactionClient) => tx.$queryRaw`SELECT pg_sleep(${n / 50_000})::text`
      const work = n % 2 === 0 ? sleep : async (tx: Prisma.TransactionClient) => withoutWaiting(tx, sleep(tx))
      const cancelled = transact(db, work, gone.signal)
      const next = transact(db, (tx) => tx.$queryRaw`SELECT pg_sleep(0.002)::text`)
      await new Promise((resolve) => setTimeout(resolve, n % 4))
      gone.abort()
      outcomes.push(...(await Promise.allSettled([cancelled, next])).map(({ status }) => status))
    }

    expect(outcomes.filter((_outcome, n) => n % 2 === 1)).toEqual(Array.from({ length: 100 }, () => 'fulfilled'))
    expect(outcomes).toContain('rejected')
  })

  test('statements of ever new texts use no names up: the oldest make room, and what is used often keeps its own', async () => {
    const db = await open({ connections: 1 })
    const often = () => db.$queryRaw`SELECT 'often'::text AS each`
    await often()
    const nameOf = async () => (await keptOn(db)).find(({ statement }) => statement.includes("'often'"))?.name
    const first = await nameOf()

    for (let n = 0; n < namedStatementsMax * 2; n++) {
      await db.$queryRawUnsafe(`SELECT ${n}::int AS number`)
      if (n % 50 === 0) await often()
    }

    expect(await nameOf()).toBe(first)
    const kept = await keptOn(db)
    expect(kept.length).toBeLessThanOrEqual(namedStatementsMax)
    expect(kept.map(({ statement }) => statement)).toContain(`SELECT ${namedStatementsMax * 2 - 1}::int AS number`)
  })

  test('a transaction begins with its first statement, and a failed one is not carried out outside of it', async () => {
    const db = await open({ connections: 1 })
    const row = workspaceRow()

    const failing = transact(db, async (tx) => {
      await tx.$queryRaw`SELECT 1 / 0`.catch(() => {})
      await tx.workspace.create({ data: row })
    })

    await expect(failing).rejects.toMatchObject({ meta: { driverAdapterError: { cause: { originalCode: '25P02' } } } })
    expect(await db.workspace.count({ where: { id: row.id } })).toBe(0)
    expect(await transact(db, async () => 'nothing was sent')).toBe('nothing was sent')
    expect(await db.$queryRaw`SELECT pg_current_xact_id_if_assigned() IS NULL AS none`).toEqual([{ none: true }])
  })

  test('a name that makes room during a transaction that has failed does no harm', async () => {
    const db = await open({ connections: 1 })
    for (let n = 0; n < namedStatementsMax; n++) await db.$queryRawUnsafe(`SELECT ${n}::int AS number`)

    const failing = transact(db, async (tx) => {
      await tx.$executeRaw`SAVEPOINT item`
      await tx.$queryRawUnsafe('SELECT 1 / 0').catch(() => {})
      for (let n = 0; n < 5; n++) await tx.$queryRawUnsafe(`SELECT ${n}::int AS refused`).catch(() => {})
      await tx.$executeRaw`ROLLBACK TO SAVEPOINT item`
      return tx.$queryRaw`SELECT 'well' AS now`
    })

    await expect(failing).resolves.toEqual([{ now: 'well' }])
    await expect(db.$queryRawUnsafe('SELECT 3::int AS number')).resolves.toEqual([{ number: 3 }])
  })

  test('statements that are sent at once within a transaction reach its connection one by one, Prisma’s own too', async () => {
    // The driver warns where it has to keep one waiting, and the tests’ set-up fails on that.
    const db = await open({ connections: 2 })

    const seen = await transact(db, (tx) =>
      Promise.all([
        tx.workspace.findMany({ include: { members: true, projects: true, webhooks: true, apiKeys: true } }),
        ...Array.from({ length: 5 }, () => tx.$queryRaw`SELECT txid_current()::text AS id`),
        tx.member.count(),
        tx.project.count(),
      ]),
    )

    expect(new Set(seen.slice(1, 6).map((rows) => JSON.stringify(rows))).size).toBe(1)
  })

  test('a process that stands still in the middle of a transaction loses it, and others have its rows', async () => {
    const { db } = database
    const { id } = await db.workspace.create({ data: workspaceRow() })
    const rename = (as: Pick<Database, 'workspace'>, name: string) =>
      as.workspace.update({ where: { id }, data: { name } })
    const standing = await open({ connections: 1, idleInTransactionMs: 200 })
    const locked = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const held = standing.$transaction(async (tx) => {
      await rename(tx, 'Never')
      locked.resolve()
      await goOn.promise
      await tx.workspace.findMany()
    })
    const lost = expect(held).rejects.toThrow()
    await locked.promise

    await rename(db, 'Ours')

    goOn.resolve()
    await lost
    expect(await db.workspace.findFirst({ where: { id } })).toMatchObject({ name: 'Ours' })
  })
})

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
    const look = `SELECT pid FROM pg_stat_activity WHERE application_name = '${application}'`
    const connection = async () => (await admin.query<{ pid: number }>(look))[0]?.pid
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

  const ways = [adapter, transaction].flatMap((to) => [() => to.queryRaw(query), () => to.executeRaw(query)])
  for (const way of [...ways, () => transaction.commit()]) {
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
