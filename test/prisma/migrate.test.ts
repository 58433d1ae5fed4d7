import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase, type Where } from '#prisma/client.ts'
import { newerThan, readMigrations, type Migration, assertMigrated, migrate } from '#prisma/migrate.ts'
import { createPglite } from '#prisma/pglite.ts'
import { openSession } from '#prisma/sql-session.ts'
import { emptyPostgres, freshPostgres, type DatabaseKind } from '../support/database.ts'
import { onEachEngine } from '../support/database-engines.ts'
import { runToEnd } from '../support/processes.ts'
import { services } from '../support/services.ts'

const first = migration('1_first', 'CREATE TABLE a (id INT); CREATE TABLE b (id INT);')
const added = migration('2_added', '-- compatible: older versions do not know the table.\nCREATE TABLE c (id INT);')
const gone = migration('3_gone', '-- incompatible: older versions need the table.\nDROP TABLE b;')
const second = migration('2_second', 'CREATE TABLE c (id INT);')

onEachEngine((kind) => {
  test('every migration is applied once and in order', async () => {
    await using empty = await emptyDatabase(kind)

    expect(await migrate(empty.where, [first])).toEqual(['1_first'])
    expect(await migrate(empty.where, [first, second])).toEqual(['2_second'])
    expect(await migrate(empty.where, [first, second])).toEqual([])
    expect(await tablesIn(empty.where)).toEqual(['_prisma_migrations', 'a', 'b', 'c'])
  })

  test('a migration that was changed after it was applied is refused by name', async () => {
    await using empty = await emptyDatabase(kind)
    await migrate(empty.where, [first])

    const migrating = migrate(empty.where, [migration('1_first', 'CREATE TABLE other (id INT);'), second])

    await expect(migrating).rejects.toThrow('Migration 1_first was changed after it was applied.')
    expect(await tablesIn(empty.where)).not.toContain('c')
  })

  test('a newer version is no hindrance where it is compatible, and refused, with what to do, where not', async () => {
    await using empty = await emptyDatabase(kind)
    await migrate(empty.where, [first, added])
    const newer: string[] = []

    expect(await migrate(empty.where, [first], (names) => newer.push(...names))).toEqual([])
    expect(newer).toEqual(['2_added'])
    const { db, close } = await openDatabase(empty.where)
    await expect(assertMigrated(db, [first])).resolves.toBeUndefined()

    await migrate(empty.where, [first, added, gone])
    const refusal =
      /^The database was migrated by a newer version \(3_gone\), and this one cannot work on it any more\. Run the newer version, or restore .*\.$/
    await expect(migrate(empty.where, [first])).rejects.toThrow(refusal)
    await expect(assertMigrated(db, [first])).rejects.toThrow(refusal)
    await close()
  })

  test('where the order of names is that of another version of ICU, its indexes are rebuilt, and no others', async () => {
    await using empty = await emptyDatabase(kind)
    const names = migration(
      '1_names',
      `CREATE COLLATION name_order (provider = icu, locale = 'und'); CREATE TABLE a (id INT, name TEXT);
       CREATE INDEX by_name ON a (name COLLATE name_order); CREATE INDEX by_id ON a (id);`,
    )
    await migrate(empty.where, [names])
    const files = () =>
      query(
        empty.where,
        `SELECT relname AS name, relfilenode::int AS file FROM pg_class WHERE relname LIKE 'by\\_%' ORDER BY 1`,
      )
    const before = await files()
    await migrate(empty.where, [names])
    expect(await files()).toEqual(before)

    await query(empty.where, `UPDATE pg_collation SET collversion = '1.2' WHERE collname = 'name_order'`)
    await migrate(empty.where, [names])

    const [byId, byName] = await files()
    expect(byId).toEqual(before[0])
    expect(byName).not.toEqual(before[1])
    expect(
      await query(
        empty.where,
        `SELECT collversion = pg_collation_actual_version(oid) AS same FROM pg_collation WHERE collname = 'name_order'`,
      ),
    ).toEqual([{ same: true }])
  })

  test('a migration that fails changes nothing, and can be tried again', async () => {
    await using empty = await emptyDatabase(kind)
    const broken = migration('2_second', 'CREATE TABLE c (id INT); INSERT INTO nowhere VALUES (1);')

    await expect(migrate(empty.where, [first, broken])).rejects.toThrow('Migration 2_second failed and changed nothing')
    expect(await tablesIn(empty.where)).toEqual(['_prisma_migrations', 'a', 'b'])
    expect(await migrate(empty.where, [first, second])).toEqual(['2_second'])
  })

  test('one that another tool left half-applied is refused', async () => {
    await using empty = await emptyDatabase(kind)
    await migrate(empty.where, [first])
    const session = await openSession(empty.where)
    await session.run('UPDATE _prisma_migrations SET finished_at = NULL')
    await session.close()

    await expect(migrate(empty.where, [first])).rejects.toThrow('Migration 1_first failed half-way')
  })

  test('a process finds out whether the database is ready for it', async () => {
    await using empty = await emptyDatabase(kind)
    const { db, close } = await openDatabase(empty.where)

    await expect(assertMigrated(db)).rejects.toThrow(
      /^The database lacks \d+ migration\(s\) \(\d{14}_initial.*Run "npm run migrate" first\.$/,
    )
    await migrate(empty.where)
    await expect(assertMigrated(db)).resolves.toBeUndefined()

    await close()
  })
})

test.skipIf(services().postgres === null)('runners that start at once apply each migration once', async () => {
  await using empty = await emptyDatabase('postgres')

  const applied = await Promise.all([1, 2, 3].map(() => migrate(empty.where, [first, second])))

  expect(applied.flat().toSorted()).toEqual(['1_first', '2_second'])
})

test('a newer version that says nothing is taken for incompatible', () => {
  expect(() => newerThan([first], [first, { name: '2_silent', declaration: null }])).toThrow('(2_silent)')
  expect(newerThan([first], [first, added])).toEqual(['2_added'])
})

test('each migration since the first three says whether older versions go on working beside it', () => {
  const later = readMigrations().slice(3)

  expect(later.length).toBeGreaterThan(0)
  for (const { name, declaration } of later)
    expect(
      declaration,
      `${name}/migration.sql must begin with "-- compatible: <why>" or "-- incompatible: <why>"`,
    ).toMatch(/^(in)?compatible: \S/)
})

test.skipIf(services().postgres === null)(
  'after a rollback the older version ends with 0 and a warning, or with 1 where it cannot work any more',
  async () => {
    const { url, drop } = await freshPostgres()
    await using _dropped = { [Symbol.asyncDispose]: drop }
    const ours = readMigrations()
    const newest = migration('99991231000000_newest', '-- compatible: a table.\nCREATE TABLE newest (id INT);')
    const narrowed = migration('99991231000001_narrowed', '-- incompatible: no table.\nDROP TABLE newest;')

    await migrate({ url }, [...ours, newest])
    const beside = await runToEnd('prisma/main.ts', { DATABASE_URL: url })
    await migrate({ url }, [...ours, newest, narrowed])
    const blocked = await runToEnd('prisma/main.ts', { DATABASE_URL: url })

    expect(beside).toMatchObject({ code: 0, stdout: 'up to date\n', stderr: expect.stringContaining(newest.name) })
    expect(blocked).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(narrowed.name) })
    expect(blocked.stderr).not.toContain(newest.name)
  },
)

test('migrations are read in the order of their names, with the checksum that Prisma would take', () => {
  const [initial] = readMigrations()

  expect(initial?.name).toMatch(/^\d{14}_initial$/)
  expect(initial?.checksum).toBe(hash('sha256', initial?.sql ?? ''))
})

function migration(name: string, sql: string): Migration {
  const [line = ''] = sql.split('\n')
  return { name, sql, checksum: hash('sha256', sql), declaration: line.startsWith('-- ') ? line.slice(3) : null }
}

async function emptyDatabase(kind: DatabaseKind): Promise<AsyncDisposable & { where: Where }> {
  if (kind === 'pglite') {
    const pglite = await createPglite()
    return { where: { pglite }, [Symbol.asyncDispose]: async () => void (pglite.closed || (await pglite.close())) }
  }
  const { url, drop } = await emptyPostgres()
  return { where: { url }, [Symbol.asyncDispose]: drop }
}

async function tablesIn(where: Where): Promise<string[]> {
  const rows = await query<{ name: string }>(
    where,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

async function query<Row>(where: Where, sql: string): Promise<readonly Row[]> {
  const session = await openSession(where)
  const rows = await session.query<Row>(sql)
  await session.close()
  return rows
}
