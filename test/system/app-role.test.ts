// Services and dispatchers as a role that owns nothing, beside the one that migrates, which is no superuser either.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { assertMigrated, migrate } from '#prisma/migrate.ts'
import { openSession } from '#prisma/sql-session.ts'
import { maintainPartitions } from '../../service/ledger/partition-maintenance.ts'
import { readPartitions } from '../../service/ledger/partitions.ts'
import { emptyPostgres, silenceOfBusyMachineMs } from '../support/database.ts'
import { startDeployment } from '../support/deployment.ts'
import { runToEnd } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { modes, must } from '../support/system.ts'

const dayMs = 86_400_000

/** A database with the roles, the extensions and a schema, as an administrator leaves it, and migrated by its owner. */
async function prepare() {
  const { url, drop } = await emptyPostgres()
  const name = new URL(url).pathname.slice(1)
  const roles = ['owner', 'app', 'other'].map((part) => `wia_test_${part}_${randomUUID().replaceAll('-', '')}`)
  const [owner = '', app = '', other = ''] = roles
  const admin = await openSession({ url })
  await admin.run(`${roles.map((role) => `CREATE ROLE ${role} LOGIN;`).join(' ')}
    CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin; CREATE SCHEMA api AUTHORIZATION ${owner};
    GRANT USAGE ON SCHEMA api TO ${other};
    REVOKE ALL ON DATABASE ${name} FROM PUBLIC; GRANT CONNECT ON DATABASE ${name} TO ${roles.join(', ')}`)
  const as = (role: string) => `${Object.assign(new URL(url), { username: role }).href}?schema=api`
  const migrated = await runToEnd('prisma/main.ts', { DATABASE_URL: as(owner), DATABASE_APP_ROLE: app })
  const close = async () => {
    for (const role of roles.toReversed()) await admin.run(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`)
    await admin.close()
    await drop()
  }
  return { admin, app, owner, migrated, urlOfOwner: as(owner), urlOfApp: as(app), urlOfOther: as(other), close }
}

async function opened(url: string) {
  const database = await openDatabase({ url, connections: 2, silenceMs: silenceOfBusyMachineMs })
  onTestFinished(database.close)
  return database.db
}

describe.runIf(modes.includes('distributed'))('a role that owns nothing', () => {
  let database: Awaited<ReturnType<typeof prepare>>
  beforeAll(async () => {
    database = await prepare()
  })
  afterAll(() => database.close())

  test('the three tiers work with it: a change comes in, a webhook goes out, and the log complains of nothing', async () => {
    expect(database.migrated).toMatchObject({ code: 0, stderr: '' })
    await using receiver = await startReceiver()
    await using deployment = await startDeployment({ DATABASE_URL: database.urlOfApp })
    await using dispatcher = await deployment.startDispatcher()

    const { api } = await deployment.tenant()
    must(await api('POST', '/api/v1/webhooks', { name: 'w', url: receiver.url, eventTypes: ['projects.*'] }))
    must(await api('POST', '/api/v1/projects', { name: 'As a role that owns nothing' }))

    await receiver.count(1)
    expect(dispatcher.stdout()).not.toContain('permission denied')
  })

  test('partitions of the ledger come and go without it owning anything, and are its to read and write', async () => {
    const { admin, app } = database
    const db = await opened(database.urlOfApp)
    const names = async () => (await readPartitions(db)).map(({ name }) => name)

    const inTime = Date.now() + 30 * dayMs
    await maintainPartitions(db, inTime)
    const added = (await names()).at(-1) ?? ''
    expect(added).toMatch(/^\d{8}$/)
    for (const table of ['event', 'delivery', 'attempt'])
      await expect(db.$executeRawUnsafe(`DELETE FROM ${table}_${added}`)).resolves.toBe(0)
    await maintainPartitions(db, inTime + 90 * dayMs)

    expect(await names()).not.toContain(added)
    expect(await admin.query(`SELECT FROM pg_class WHERE relowner = $1::regrole`, [app])).toEqual([])
  })

  test('it can change no table, forge no migration, and make the functions of partitions do nothing else', async () => {
    const db = await opened(database.urlOfApp)
    await assertMigrated(db)
    const bounds = `FOR VALUES FROM (''00000000-0000-0000-0000-000000000000'') TO (''00000000-0000-0000-0000-000000000001'')`

    for (const statement of [
      'DROP TABLE project',
      'ALTER TABLE project ADD COLUMN more text',
      'TRUNCATE project',
      'CREATE TABLE more (id int)',
      `DELETE FROM _prisma_migrations`,
    ])
      await expect(db.$executeRawUnsafe(statement), statement).rejects.toThrow(/must be owner|permission denied/)
    for (const call of [
      `add_ledger_partition('x', '${bounds}; DROP TABLE project')`,
      `add_ledger_partition('x; --', '${bounds}')`,
      `drop_ledger_partition('default')`,
      `drop_ledger_partition('sequence')`,
    ])
      await expect(db.$queryRawUnsafe(`SELECT 1 AS done FROM ${call}`), call).rejects.toThrow(
        'No partition of the ledger',
      )
  })

  test('a role without its grants, one that is not there and the owner itself are refused, with what to do', async () => {
    const { urlOfOwner, urlOfOther, owner } = database
    const migrateFor = (role: string) => migrate({ url: urlOfOwner }, undefined, undefined, role)

    await expect(assertMigrated(await opened(urlOfOther))).rejects.toThrow(
      /may not read the tables\. Run .* DATABASE_APP_ROLE/,
    )
    await expect(migrateFor('nobody_there')).rejects.toThrow('CREATE ROLE "nobody_there" LOGIN')
    await expect(migrateFor(owner)).rejects.toThrow('which owns the tables: leave it out')
  })
})
