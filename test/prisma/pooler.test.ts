// Postgres behind PgBouncer, which runs each transaction in another session: of every version that is installed, with
// and without prepared statements of its own, refusing the settings of a session or ignoring them in silence.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '#prisma/client.ts'
import { readMigrations, migrate } from '#prisma/migrate.ts'
import type { Postgres } from '#prisma/pool.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { openSession } from '#prisma/sql-session.ts'
import { transact } from '#prisma/transaction.ts'
import { emptyPostgres, freshPostgres, silenceOfBusyMachineMs } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { runToEnd } from '../support/processes.ts'
import { pgbouncers, startPgbouncer, type Pgbouncer } from '../support/servers/pgbouncer.ts'
import { services } from '../support/services.ts'
import { workspaceRow } from './rows.ts'

const silent = {
  ignore_startup_parameters: 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
}
/** What a service is opened with. */
const sameAsDefaults = {
  statement_timeout: '15s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '20s',
}
const [anyPgbouncer] = pgbouncers()
const kinds = pgbouncers().flatMap(({ program, version, tracksNames }) => [
  {
    kind: `${version}, as it comes`,
    program,
    settings: tracksNames ? { max_prepared_statements: '200' } : {},
    names: tracksNames,
  },
  {
    kind: `${version}, ignoring settings`,
    program,
    settings: { ...silent, ...(tracksNames && { max_prepared_statements: '0' }) },
    names: false,
  },
])

const limitsOf = async (db: Prisma.TransactionClient) => {
  const [limits] = await db.$queryRaw<Record<string, string>[]>`
    SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
           current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('TimeZone') AS zone,
           current_setting('jit') AS jit, current_setting('enable_seqscan') AS "readsWhole"`
  return limits
}

const isMissing = services().postgres === null || (anyPgbouncer === undefined && process.env['CI'] === undefined)

describe.skipIf(isMissing)('behind PgBouncer', () => {
  let made: Awaited<ReturnType<typeof freshPostgres>>
  beforeAll(async () => {
    made = await freshPostgres()
  })
  afterAll(() => made.drop())

  const pooling = async (program: string, settings: Record<string, string>, url = made.url) => {
    const server = await startPgbouncer(program, url, settings)
    onTestFinished(server.close)
    return server
  }
  const open = async (url: string, options: Omit<Postgres, 'url'> = {}) => {
    const database = await openDatabase({ url, connections: 4, silenceMs: silenceOfBusyMachineMs, ...options })
    onTestFinished(database.close)
    return database
  }

  describe.each(kinds)('$kind', ({ program, settings, names }) => {
    let server: Pgbouncer
    beforeAll(async () => {
      server = await startPgbouncer(program, made.url, { ...settings, default_pool_size: '3' })
    })
    afterAll(() => server.close())

    test('every statement has the limits of its process, and none of them stays behind for others', async () => {
      const service = await open(server.url, { idleInTransactionMs: 7_000 })
      const dispatcher = await open(server.url, { lockTimeoutMs: 4_000, byIndexOnly: true })
      const ofService = { statement: '15s', lock: '5s', idle: '7s', zone: 'UTC', jit: 'off', readsWhole: 'on' }
      const ofDispatcher = { ...ofService, lock: '4s', idle: '20s', readsWhole: 'off' }

      for (let n = 0; n < 3; n++) {
        expect(await limitsOf(service.db)).toEqual(ofService)
        expect(await transact(dispatcher.db, limitsOf)).toEqual(ofDispatcher)
        expect(await limitsOf(dispatcher.db)).toEqual(ofDispatcher)
        expect(await transact(service.db, limitsOf)).toEqual(ofService)
      }

      expect(service.pooler).toEqual({ hasNamedStatements: names })
      const other = new Client({ connectionString: server.url })
      await other.connect()
      const { rows } = await other.query(`SELECT current_setting('statement_timeout') AS timeout`)
      await other.end()
      expect(rows).toEqual([{ timeout: '0' }])
    })

    test('a process that stands still in the middle of a transaction loses it, and others have its rows', async () => {
      const { db } = await open(server.url)
      const standing = await open(server.url, { connections: 1, idleInTransactionMs: 200 })
      const { id } = await db.workspace.create({ data: workspaceRow() })
      const locked = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const held = transact(standing.db, async (tx) => {
        await tx.workspace.update({ where: { id }, data: { name: 'Never' } })
        locked.resolve()
        await goOn.promise
        await tx.workspace.findMany()
      })
      const lost = expect(held).rejects.toThrow()
      await locked.promise

      await db.workspace.update({ where: { id }, data: { name: 'Ours' } })

      goOn.resolve()
      await lost
      expect(await db.workspace.findFirst({ where: { id } })).toMatchObject({ name: 'Ours' })
    })

    test('statements of two processes in the same sessions are never taken for each other’s', async () => {
      const [one, two] = [await open(server.url), await open(server.url)]
      const ask = async (db: Database, who: string, n: number) => {
        const [row] = await db.$queryRawUnsafe<object[]>(
          `SELECT '${who}' AS who, ${n % 40} AS number, $1::int AS given`,
          n,
        )
        return row
      }
      const all = (db: Database, who: string) => Promise.all(Array.from({ length: 400 }, (_each, n) => ask(db, who, n)))

      const answers = await Promise.all([all(one.db, 'one'), all(two.db, 'two')])

      for (const [at, who] of ['one', 'two'].entries())
        expect(answers[at]).toEqual(Array.from({ length: 400 }, (_each, n) => ({ who, number: n % 40, given: n })))
      const kept = await transact(
        one.db,
        (tx) => tx.$queryRaw<{ name: string }[]>`SELECT name FROM pg_prepared_statements`,
      )
      expect(kept.length > 0).toBe(names)
    })

    test('a statement of its own that fails leaves nothing, and one that succeeds is there for everybody', async () => {
      const { db } = await open(server.url, { connections: 1 })
      const row = workspaceRow()
      await db.workspace.create({ data: row })

      await expect(db.workspace.create({ data: row })).rejects.toMatchObject({ code: 'P2002' })
      await expect(db.$executeRaw`UPDATE workspace SET name = (1 / (length(name) * 0))::text`).rejects.toThrow(
        'division',
      )

      const direct = await openSession({ url: made.url })
      const seen = await direct.query('SELECT name FROM workspace WHERE id = $1', [row.id])
      const open_ = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`
      await eventually(async () => (await direct.query(open_)).length === 0, 'no open transaction')
      await direct.close()
      expect(seen).toEqual([{ name: row.name }])
    })

    test('a caller who has gone ends his statement, and nobody else’s', async () => {
      const { db } = await open(server.url)
      const gone = new AbortController()
      const long = transact(db, (tx) => tx.$queryRaw`SELECT pg_sleep(12)::text`, gone.signal)
      const others = Array.from({ length: 20 }, () => transact(db, (tx) => tx.$queryRaw`SELECT pg_sleep(0.02)::text`))
      const refused = expect(long).rejects.toThrow('The caller has gone')
      const sleeping = async () => {
        const rows = await db.$queryRaw<object[]>`SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(12)%'
          AND state = 'active' AND datname = current_database()`
        return rows.length === 1
      }
      await eventually(sleeping, 'the statement to run')

      gone.abort()

      await refused
      await expect(Promise.all(others)).resolves.toHaveLength(20)
    })
  })

  test.each(kinds.filter(({ settings }) => !('ignore_startup_parameters' in settings)))(
    '$kind: migrations are applied once by runners that start at once, and leave no lock',
    async ({ program, settings }) => {
      const empty = await emptyPostgres()
      const { url, close } = await startPgbouncer(program, empty.url, { ...settings, default_pool_size: '4' })
      onTestFinished(() => close().then(empty.drop))

      const applied = await Promise.all([migrate({ url }), migrate({ url })])

      expect(applied.flat().toSorted()).toEqual(readMigrations().map(({ name }) => name))
      const session = await openSession({ url: empty.url })
      expect(
        await session.query(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        ),
      ).toEqual([])
      await session.close()
    },
  )

  test('a pooler that stops keeping statements apart while the process runs gets them without names', async ({
    skip,
  }) => {
    const current = pgbouncers().find(({ tracksNames }) => tracksNames)
    if (current === undefined) {
      skip('PgBouncer 1.21 or newer is not installed')
      return
    }
    const server = await pooling(current.program, { max_prepared_statements: '100', default_pool_size: '1' })
    const [one, two] = [await open(server.url), await open(server.url)]
    const ask = ({ db }: { db: Database }, who: string) => db.$queryRawUnsafe<object[]>(`SELECT '${who}' AS who`)
    await Promise.all([ask(one, 'one'), ask(two, 'two')])

    await server.stop('SIGQUIT')
    server.configure({ max_prepared_statements: '0', default_pool_size: '1' })
    await server.start()

    const both = () => Promise.all([ask(one, 'one'), ask(two, 'two')])
    expect(await eventually(() => both().catch(() => null), 'both to be served again')).toEqual([
      [{ who: 'one' }],
      [{ who: 'two' }],
    ])
    for (let n = 0; n < 20; n++) expect(await both()).toEqual([[{ who: 'one' }], [{ who: 'two' }]])
  })

  test('sessions that are all in use for a while are no silence of the database', async () => {
    const server = await pooling(anyPgbouncer?.program ?? '', { default_pool_size: '3' })
    const { db, isAway, close } = await openDatabase({ url: server.url, lockTimeoutMs: 3_000 })
    onTestFinished(close)

    const busy = await Promise.all(Array.from({ length: 3 }, () => db.$queryRaw<object[]>`SELECT pg_sleep(1.7)::text`))

    expect(busy).toHaveLength(3)
    expect(isAway()).toBe(false)
  })
  test('a database that has the same settings by itself does not pass for a session of its own', async () => {
    const empty = await emptyPostgres()
    const admin = await openSession({ url: empty.url })
    const same = { ...sameAsDefaults, TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1' }
    for (const [name, value] of Object.entries(same))
      await admin.run(`ALTER DATABASE ${new URL(empty.url).pathname.slice(1)} SET ${name} = '${value}'`)
    await admin.close()
    const server = await pooling(anyPgbouncer?.program ?? '', silent, empty.url)

    const { pooler, close } = await openDatabase({ url: server.url })

    expect(pooler).not.toBeNull()
    await close()
    await server.close()
    await empty.drop()
  })

  test('settings in the address get through, and what cannot be one is refused by name', async () => {
    const server = await pooling(anyPgbouncer?.program ?? '', {})
    const withOptions = (options: string) =>
      `${server.url}?${new URLSearchParams({ options, lock_timeout: '1234' }).toString()}`

    const { db } = await open(withOptions(String.raw`-c work_mem=7MB --DateStyle=German,\ DMY`))

    const [row] = await db.$queryRaw<
      object[]
    >`SELECT current_setting('work_mem') AS memory, current_setting('lock_timeout') AS lock, current_setting('DateStyle') AS dates`
    expect(row).toEqual({ memory: '7MB', lock: '1234ms', dates: 'German, DMY' })
    await expect(openDatabase({ url: withOptions('-c jit=off -B 100') })).rejects.toThrow(
      'contain "-B", which cannot be set behind a pooler',
    )
  })

  test('a pooler that cannot do it is refused at the start, with what to do', async () => {
    const server = await pooling(anyPgbouncer?.program ?? '', { pool_mode: 'statement' })
    const secret = randomUUID() + randomUUID()
    const env = {
      DATABASE_URL: server.url,
      INTERNAL_SECRET: secret,
      REDIS_URL: 'redis://127.0.0.1',
      AMQP_URL: 'amqp://127.0.0.1',
    }

    const { code, stderr } = await runToEnd('service/main.ts', env)

    expect(code).toBe(1)
    expect(stderr).toMatch(
      /is behind a pooler that this process cannot work with: .*pool_mode = transaction\), or give DATABASE_URL the address of Postgres itself\.$/m,
    )
  })
})
