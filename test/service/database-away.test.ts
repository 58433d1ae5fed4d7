// A database that is killed, stopped, frozen or full, each for real: what runs meanwhile and what comes meanwhile is
// told to try again, and nobody has to do anything for it to work again. And what else it says of itself.
import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Fault } from '#contract/faults/fault.ts'
import { type OpenedDatabase, openDatabase } from '#prisma/client.ts'
import { PrismaClient } from '#prisma/generated/client.ts'
import { migrate } from '#prisma/migrate.ts'
import { openSession } from '#prisma/sql-session.ts'
import { transact } from '#prisma/transaction.ts'
import { databaseFaults } from '../../service/faults/database-faults.ts'
import { workspaceRow } from '../prisma/rows.ts'
import { onEachEngine, sharedDatabase } from '../support/database-engines.ts'
import { eventually } from '../support/eventually.ts'
import { pgbouncers, startPgbouncer } from '../support/servers/pgbouncer.ts'
import { startPostgres } from '../support/servers/postgres.ts'
import type { Server } from '../support/servers/server.ts'
import { services } from '../support/services.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const [anyPgbouncer] = pgbouncers()
/** Where the database is there all the time: a busy machine is no silence. */
const patient = 20_000
const again = { code: 'unavailable', status: 503, members: { retryAfterSeconds: 1 } }
const faultOfDatabase = databaseFaults(new Map())
const faultOf = (work: Promise<unknown>): Promise<unknown> => work.then((value) => ({ value }), faultOfDatabase)

/** In each of the ways that calls use it: with a statement under way, and between two. */
function calls({ db }: OpenedDatabase): { begun: Promise<unknown>; ended: Promise<unknown[]> } {
  const [first, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const raw = db.$queryRaw`SELECT pg_sleep(12)::text`.finally(held.resolve)
  const within = transact(db, async (tx) => tx.$queryRaw`SELECT pg_sleep(12)::text`)
  const between = transact(db, async (tx) => {
    await tx.workspace.findMany()
    first.resolve()
    await held.promise
    return tx.workspace.create({ data: workspaceRow() })
  })
  const begun = Promise.all([first.promise, eventually(() => sleepers(db), 'both to sleep')])
  return { begun, ended: Promise.all([raw, within, between].map(faultOf)) }
}

const sleepers = async (db: OpenedDatabase['db']): Promise<boolean> => {
  const rows = await db.$queryRaw<unknown[]>`SELECT FROM pg_stat_activity
    WHERE wait_event = 'PgSleep' AND application_name = current_setting('application_name')`
  return rows.length === 2
}

function nextCalls({ db }: OpenedDatabase): Promise<unknown[]> {
  const read = transact(db, (tx) => tx.workspace.findMany())
  const write = transact(db, (tx) => tx.workspace.create({ data: workspaceRow() }))
  return Promise.all([db.$queryRaw`SELECT 1`, db.workspace.findMany(), read, write].map(faultOf))
}
const isServed = (each: unknown): boolean => 'value' in (each as object)
const works = (database: OpenedDatabase) =>
  eventually(async () => (await nextCalls(database)).every(isServed), 'it to work again')
/** Each is to be tried again. */
const allAgain = (faults: unknown[], more = {}) =>
  expect(faults).toEqual(faults.map(() => expect.objectContaining({ ...again, ...more }) as Fault))

describe.skipIf(services().postgres === null)('a Postgres of its own', () => {
  let server: Server
  beforeAll(async () => {
    const started = await startPostgres()
    if (started === null) throw new Error('Postgres answers, but is not installed')
    server = started
    await migrate({ url: server.url })
  })
  afterAll(() => server.close())

  async function open(url = server.url, silenceMs = 1_000): Promise<OpenedDatabase> {
    const database = await openDatabase({ url, connections: 6, application: randomUUID(), silenceMs })
    onTestFinished(database.close)
    return database
  }

  type Act = (server: Server) => unknown

  async function goesAndComesBack(database: OpenedDatabase, takeAway: Act, bringBack: Act): Promise<void> {
    const { begun, ended } = calls(database)
    await begun

    await takeAway(server)

    allAgain(await ended)
    await eventually(database.isAway, 'the loss to be noticed')
    allAgain(await nextCalls(database))

    await bringBack(server)
    await works(database)
    await eventually(() => !database.isAway(), 'that to be noticed')
  }

  const ways: [string, Act, Act][] = [
    ['told to stop', ({ stop }) => stop('SIGINT'), ({ start }) => start()],
    ['killed', ({ stop }) => stop('SIGKILL'), ({ start }) => start()],
    ['frozen', ({ freeze }) => freeze(), ({ thaw }) => thaw()],
  ]
  test.each(ways)(
    'one that is %s: calls under way and new ones are to be tried again, until it is back',
    async (_way, takeAway, bringBack) => {
      await goesAndComesBack(await open(), takeAway, bringBack)
    },
  )

  test.skipIf(anyPgbouncer === undefined).each(ways)(
    'one that is %s behind a pooler: the same',
    async (_way, takeAway, bringBack) => {
      const pooler = await startPgbouncer(anyPgbouncer?.program ?? '', server.url, { server_login_retry: '1' })
      onTestFinished(pooler.close)
      await goesAndComesBack(await open(pooler.url), takeAway, bringBack)
    },
  )

  test.skipIf(anyPgbouncer === undefined)(
    'a start on one that is frozen behind a pooler is given up, and says so',
    async () => {
      const pooler = await startPgbouncer(anyPgbouncer?.program ?? '', server.url)
      onTestFinished(pooler.close)
      server.freeze()

      const opening = openDatabase({ url: pooler.url })

      await expect(opening).rejects.toThrow(/^The database at .* cannot be used: no answer within 5 seconds\.$/)
      server.thaw()
    },
  )

  test('connections that an administrator ends cost the calls on them and no others', async () => {
    const database = await open(server.url, patient)
    const { begun, ended } = calls(database)
    await begun

    const admin = await openSession({ url: server.url })
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    await admin.close()

    // Connections end one after the other: the last may have sent its commit by then, and is told that too.
    allAgain(await ended, { members: expect.objectContaining(again.members) as object })
    await works(database)
  })

  test('a server that has no connection to spare is busy, not away', async () => {
    const admin = await openSession({ url: server.url })
    onTestFinished(admin.close)
    await admin.run(`DROP ROLE IF EXISTS crowded; CREATE ROLE crowded LOGIN CONNECTION LIMIT 3`)
    await admin.run('GRANT SELECT, INSERT ON workspace TO crowded')
    const url = server.url.replace('postgres@', 'crowded@')
    const database = await open(url, patient)

    const held = Array.from({ length: 6 }, () => faultOf(database.db.$queryRaw`SELECT pg_sleep(0.5)::text`))

    const faults = (await Promise.all(held)).filter((each) => !isServed(each))
    expect(faults.length).toBeGreaterThan(0)
    allAgain(faults)
    expect(database.isAway()).toBe(false)
  })

  test('a server that refuses new sessions of the role is to be tried again, until it takes them', async () => {
    const admin = await openSession({ url: server.url })
    onTestFinished(admin.close)
    await admin.run(`DROP ROLE IF EXISTS changed; CREATE ROLE changed LOGIN`)
    const database = await open(server.url.replace('postgres@', 'changed@'), patient)
    const sleep = () => faultOf(database.db.$queryRaw`SELECT pg_sleep(0.3)::text`)

    await admin.run('ALTER ROLE changed NOLOGIN')
    const faults = (await Promise.all(Array.from({ length: 6 }, sleep))).filter((each) => !isServed(each))
    await admin.run('ALTER ROLE changed LOGIN')

    expect(faults.length).toBeGreaterThan(0)
    allAgain(faults)
    expect((await Promise.all(Array.from({ length: 6 }, sleep))).every(isServed)).toBe(true)
  })

  test('a pool in which no connection comes free in time is busy', async () => {
    const pool = new Pool({ connectionString: server.url, max: 1 })
    const db = new PrismaClient({ adapter: new PrismaPg(pool) })
    onTestFinished(async () => void (await db.$disconnect(), await pool.end()))
    const held = await pool.connect()
    // From now on: the first connection may take its time.
    pool.options.connectionTimeoutMillis = 50

    const within = db.$transaction((tx) => tx.workspace.findMany())
    const faults = await Promise.all([db.$queryRaw`SELECT 1`, db.workspace.findMany(), within].map(faultOf))

    allAgain(faults)
    held.release()
  })

  test('a change whose commit is not answered is no success, and the caller learns that it may have been made', async () => {
    await using proxy = await startTcpProxy(server.url)
    const database = await open(proxy.url)

    const fault = await faultOf(
      transact(database.db, async (tx) => {
        await tx.workspace.create({ data: workspaceRow() })
        proxy.freeze()
      }),
    )

    expect(fault).toMatchObject({ ...again, members: { hint: expect.stringContaining('Idempotency-Key') as string } })
    proxy.thaw()
    await works(database)
  })
})

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  test('a statement that is given up is a timeout, one that waits in a circle is tried again, any other error stays', async () => {
    const raised = (state: string) =>
      faultOf(database.db.$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${state}'; END $$`))
    const error = new Error('something else')

    expect(await raised('57014')).toMatchObject({ code: 'timeout', status: 504 })
    expect(await raised('40P01')).toMatchObject(again)
    expect(faultOfDatabase(error)).toBe(error)
  })
})
