// What DATABASE_URL may say: which schema the tables are in, and how the connection is protected.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { assertMigrated, migrate, readMigrations } from '#prisma/migrate.ts'
import { openSession } from '#prisma/sql-session.ts'
import { transact } from '#prisma/transaction.ts'
import { readSettings } from '#runtime/settings.ts'
import { databaseUrl } from '#runtime/shared-settings.ts'
import { certificate } from '../support/certificates.ts'
import { emptyPostgres, freshPostgres, silenceOfBusyMachineMs } from '../support/database.ts'
import { onPostgres } from '../support/database-engines.ts'
import { runToEnd } from '../support/processes.ts'
import { pgbouncers, startPgbouncer } from '../support/servers/pgbouncer.ts'
import { startPostgres } from '../support/servers/postgres.ts'
import { privateFolder, type Server } from '../support/servers/server.ts'
import { workspaceRow } from './rows.ts'

const withParameters = (url: string, parameters: Record<string, string>): string =>
  `${url}?${new URLSearchParams(parameters).toString()}`

async function open(url: string) {
  const database = await openDatabase({ url, connections: 2, silenceMs: silenceOfBusyMachineMs })
  onTestFinished(database.close)
  return database
}

onPostgres(() => {
  async function database({ url, drop }: Awaited<ReturnType<typeof emptyPostgres>>) {
    onTestFinished(drop)
    const session = await openSession({ url })
    onTestFinished(session.close)
    const tables = async (schema: string) => {
      const rows = await session.query(`SELECT FROM pg_tables WHERE schemaname = $1`, [schema])
      return rows.length
    }
    return { url, session, tables, of: (schema: string) => withParameters(url, { schema }) }
  }

  test('two installations in one database, each in its own schema, know nothing of each other', async () => {
    const { of, tables } = await database(await emptyPostgres())
    for (const schema of ['first_one', 'Second']) {
      expect(await migrate({ url: of(schema) })).toHaveLength(readMigrations().length)
      expect(await migrate({ url: of(schema) })).toEqual([])
    }
    const [first, second] = [await open(of('first_one')), await open(of('Second'))]
    const row = workspaceRow()

    await first.db.workspace.create({ data: row })
    await transact(
      first.db,
      (tx) => tx.$executeRaw`UPDATE workspace SET name = 'By a statement' WHERE id = ${row.id}::uuid`,
    )

    for (const { db } of [first, second]) await assertMigrated(db)
    expect(await first.db.workspace.findMany()).toMatchObject([{ id: row.id, name: 'By a statement' }])
    expect(await second.db.workspace.findMany()).toEqual([])
    expect(await second.db.$queryRaw`SELECT id FROM workspace`).toEqual([])
    expect(await second.db.$queryRaw`SELECT word_similarity('wrod', 'word') > 0 AS "isThere"`).toEqual([
      { isThere: true },
    ])
    expect(await tables('public')).toBe(0)
    expect(await tables('Second')).toBe(await tables('first_one'))
  })

  test('a schema that is not there is refused at the start, though the usual one has all tables', async () => {
    const { of } = await database(await freshPostgres())

    await expect(openDatabase({ url: of('elsewhere') })).rejects.toThrow(
      /^There is no schema "elsewhere" in the database at .*\. Run "npm run migrate" with the same "schema" in DATABASE_URL first, and/,
    )
  })

  test('a schema without tables is not taken for migrated, though the usual one is', async () => {
    const { of, session } = await database(await freshPostgres())
    await session.run('CREATE SCHEMA bare')

    const { db } = await open(of('bare'))

    await expect(assertMigrated(db)).rejects.toThrow('The database lacks')
  })

  test('a schema that its role prefers by itself is used by Prisma and by statements alike', async () => {
    const { url, session } = await database(await emptyPostgres())
    const role = `wia_test_${randomUUID().replaceAll('-', '')}`
    await session.run(
      `CREATE ROLE ${role} LOGIN; CREATE SCHEMA AUTHORIZATION ${role}; GRANT CREATE ON DATABASE ${new URL(url).pathname.slice(1)} TO ${role}`,
    )
    const own = Object.assign(new URL(url), { username: role }).href
    await migrate({ url: own })

    const { db, close } = await openDatabase({ url: own, silenceMs: silenceOfBusyMachineMs })
    await db.workspace.create({ data: workspaceRow() })

    expect(await db.$queryRaw`SELECT count(*)::int AS count FROM workspace`).toEqual([{ count: 1 }])
    await close()
    await session.run(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`)
  })

  test.skipIf(pgbouncers().length === 0)('a schema is reached through a pooler as well', async () => {
    const { url, tables } = await database(await emptyPostgres())
    const server = await startPgbouncer(pgbouncers()[0]?.program ?? '', url)
    const through = withParameters(server.url, { schema: 'pooled' })
    await migrate({ url: through })

    const { db, close } = await openDatabase({ url: through, silenceMs: silenceOfBusyMachineMs })
    await db.workspace.create({ data: workspaceRow() })

    expect(await db.$queryRaw`SELECT count(*)::int AS count FROM workspace`).toEqual([{ count: 1 }])
    expect(await tables('public')).toBe(0)
    await close()
    await server.close()
  })
})

test.each([
  ['?schema=', 'must name a schema'],
  ['?schema=a;b', 'must name a schema'],
  ['?schema=pg_temp', 'must name a schema'],
  ['?channel_binding=require', 'cannot have channel_binding=require: leave it out'],
])('%s is refused by name, and the address is not repeated', (parameters, says) => {
  const given = { DATABASE_URL: `postgres://app:hunter2@host/app${parameters}` }

  expect(() => readSettings({ databaseUrl }, given)).toThrow(`DATABASE_URL ${says}`)
  expect(() => readSettings({ databaseUrl }, given)).not.toThrow('hunter2')
})

onPostgres(() => {
  describe('a server that asks for TLS and a password', () => {
    const authority = certificate('authority', { ip: '127.0.0.1', isAuthority: true })
    const ofServer = certificate('server', { ip: '127.0.0.1', signedBy: authority })
    const folder = privateFolder('certificates')
    const trusted = join(folder, 'authority.crt')
    const foreign = join(folder, 'foreign.crt')
    const password = 'correct horse & battery'
    let server: Server
    const urlAs = (given: string, parameters: Record<string, string>) =>
      withParameters(Object.assign(new URL(server.url), { username: 'app', password: given }).href, parameters)

    beforeAll(async () => {
      writeFileSync(trusted, authority.cert)
      writeFileSync(foreign, certificate('foreign', { ip: '127.0.0.1', isAuthority: true }).cert)
      const started = await startPostgres({ certificate: ofServer })
      if (started === null) throw new Error('Postgres answers, but is not installed')
      server = started
      const admin = await openSession({ url: server.url })
      await admin.run(`CREATE ROLE app LOGIN PASSWORD '${password}'; GRANT CREATE ON DATABASE postgres TO app`)
      await admin.close()
    })
    afterAll(() => server.close())

    test('everything goes over TLS to the server that the authority vouches for, the end of a statement too', async () => {
      const url = urlAs(password, { sslmode: 'verify-full', sslrootcert: trusted, schema: 'app' })
      const migrated = await runToEnd('prisma/main.ts', { DATABASE_URL: url })
      expect(migrated).toMatchObject({ code: 0, stderr: '' })

      const { db } = await open(url)
      const gone = new AbortController()
      const long = transact(db, (tx) => tx.$queryRaw`SELECT pg_sleep(12)::text`, gone.signal)
      const refused = expect(long).rejects.toThrow('The caller has gone')
      await db.$queryRaw`SELECT 1`
      gone.abort()
      await refused

      const seen = await db.$queryRaw<{ ssl: boolean }[]>`
        SELECT ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE usename = 'app'`
      expect(seen.length).toBeGreaterThan(1)
      expect(seen.every(({ ssl }) => ssl)).toBe(true)
    })

    test.each([
      [
        'a server that the authority does not vouch for',
        () => urlAs(password, { sslmode: 'verify-full', sslrootcert: foreign }),
        'unable to verify the first certificate',
      ],
      ['a connection without TLS', () => urlAs(password, {}), 'no pg_hba.conf entry'],
      [
        'a wrong password',
        () => urlAs('hunter2', { sslmode: 'verify-full', sslrootcert: trusted }),
        'password authentication failed for user "app"',
      ],
    ])('%s is refused at the start, in one sentence without the password', async (_what, url, says) => {
      const opening = openDatabase({ url: url() })

      await expect(opening).rejects.toThrow(says)
      await expect(opening).rejects.toThrow(/^The database at 127\.0\.0\.1:\d+\/postgres cannot be used: /)
      await expect(opening).rejects.not.toThrow(/hunter2|horse/)
    })
  })
})
