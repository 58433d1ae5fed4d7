import { hash } from 'node:crypto'
import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Where } from '#prisma/client.ts'
import { newerThan, readMigrations, type Migration, assertMigrated, migrate } from '#prisma/migrate.ts'
import { openSession } from '#prisma/sql-session.ts'
import { emptyPostgres, freshDatabase, freshPglite, freshPostgres, type DatabaseKind } from '../support/database.ts'
import { onEachEngine, onPostgres } from '../support/database-engines.ts'
import { runToEnd } from '../support/processes.ts'

const first = migration('1_first', 'CREATE TABLE a (id INT); CREATE TABLE b (id INT);')
const added = migration('2_added', '-- compatible: older versions do not know the table.\nCREATE TABLE c (id INT);')
const gone = migration('3_gone', '-- incompatible: older versions need the table.\nDROP TABLE b;')
const second = migration('2_second', 'CREATE TABLE c (id INT);')

onEachEngine((kind) => {
  const empty = emptiedDatabase(kind)
  const apply = (...migrations: readonly Migration[]) => migrate(empty.where, migrations)
  const query = async <Row>(sql: string): Promise<readonly Row[]> => {
    const session = await openSession(empty.where)
    const rows = await session.query<Row>(sql)
    await session.close()
    return rows
  }
  const tables = async (): Promise<string[]> => {
    const rows = await query<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`)
    return rows.map(({ name }) => name).toSorted()
  }

  test('every migration is applied once and in order', async () => {
    expect(await apply(first)).toEqual(['1_first'])
    expect(await apply(first, second)).toEqual(['2_second'])
    expect(await apply(first, second)).toEqual([])
    expect(await tables()).toEqual(['_prisma_migrations', 'a', 'b', 'c'])
  })

  test('a migration that was changed after it was applied is refused by name', async () => {
    await apply(first)

    const migrating = apply(migration('1_first', 'CREATE TABLE other (id INT);'), second)

    await expect(migrating).rejects.toThrow('Migration 1_first was changed after it was applied.')
    expect(await tables()).not.toContain('c')
  })

  test('a database that was migrated by the former text of a migration becomes as all others are', async () => {
    const all = readMigrations()
    const at = all.findIndex(({ name }) => name.endsWith('_former_texts'))
    const [index, before] = ['event_workspace_id_resource_id_sequence_idx', all.slice(0, at)]
    await migrate(empty.where, before)
    const session = await openSession(empty.where)
    await session.run(`DROP INDEX ${index}; CREATE INDEX ${index} ON event (workspace_id, resource_id, sequence);
      UPDATE _prisma_migrations SET checksum = '5311a71ddcf092082065af80f3274ee325dd53f68fb2b7dc3df2644112089ca4'
      WHERE migration_name LIKE '%_events_of_an_object'`)
    await session.close()

    expect(await migrate(empty.where, all.slice(0, at + 1))).toEqual([all[at]?.name])

    const defined = await query<{ sql: string }>(`SELECT pg_get_indexdef('${index}'::regclass) AS sql`)
    expect(defined[0]?.sql).toMatch(/WHERE \(resource_id IS NOT NULL\)/)
  })

  test('a newer version is no hindrance where it is compatible, and refused, with what to do, where not', async () => {
    await apply(first, added)
    const newer: string[] = []

    expect(await migrate(empty.where, [first], (names) => newer.push(...names))).toEqual([])
    expect(newer).toEqual(['2_added'])
    const { db, close } = await openDatabase(empty.where)
    await expect(assertMigrated(db, [first])).resolves.toBeUndefined()

    await apply(first, added, gone)
    const refusal =
      /^The database was migrated by a newer version \(3_gone\), .*\. Run the newer version, or restore .*\.$/
    await expect(apply(first)).rejects.toThrow(refusal)
    await expect(assertMigrated(db, [first])).rejects.toThrow(refusal)
    await close()
  })

  test('where the order of names is that of another version of ICU, its indexes are rebuilt, and no others', async () => {
    const names = migration(
      '1_names',
      `CREATE COLLATION name_order (provider = icu, locale = 'und'); CREATE TABLE a (id INT, name TEXT);
       CREATE INDEX by_name ON a (name COLLATE name_order); CREATE INDEX by_id ON a (id);`,
    )
    const files = () =>
      query(`SELECT relname AS name, relfilenode::int AS file FROM pg_class WHERE relname LIKE 'by\\_%' ORDER BY 1`)
    await apply(names)
    const before = await files()
    await apply(names)
    expect(await files()).toEqual(before)

    await query(`UPDATE pg_collation SET collversion = '1.2' WHERE collname = 'name_order'`)
    await apply(names)

    const [byId, byName] = await files()
    expect(byId).toEqual(before[0])
    expect(byName).not.toEqual(before[1])
    const same = `collversion = pg_collation_actual_version(oid) AS same`
    expect(await query(`SELECT ${same} FROM pg_collation WHERE collname = 'name_order'`)).toEqual([{ same: true }])
  })

  test('a migration that fails changes nothing, and can be tried again; one that was left half-way is refused', async () => {
    const broken = migration('2_second', 'CREATE TABLE c (id INT); INSERT INTO nowhere VALUES (1);')

    await expect(apply(first, broken)).rejects.toThrow('Migration 2_second failed and changed nothing')
    expect(await tables()).toEqual(['_prisma_migrations', 'a', 'b'])
    expect(await apply(first, second)).toEqual(['2_second'])

    await query('UPDATE _prisma_migrations SET finished_at = NULL')
    await expect(apply(first, second)).rejects.toThrow('Migration 1_first failed half-way')
  })

  test('a process finds out whether the database is ready for it', async () => {
    const { db, close } = await openDatabase(empty.where)
    await using ready = await freshDatabase(kind)

    await expect(assertMigrated(db)).rejects.toThrow(
      /^The database lacks \d+ migration\(s\) \(\d{14}_initial.*Run "npm run migrate" first\.$/,
    )
    await expect(assertMigrated(ready.db)).resolves.toBeUndefined()

    await close()
  })

  if (kind === 'postgres')
    test('runners that start at once apply each migration once', async () => {
      const applied = await Promise.all([1, 2, 3].map(() => apply(first, second)))

      expect(applied.flat().toSorted()).toEqual(['1_first', '2_second'])
    })
})

test('a newer version that says nothing is taken for incompatible', () => {
  expect(() => newerThan([first], [first, { name: '2_silent', declaration: null }])).toThrow('(2_silent)')
  expect(newerThan([first], [first, added])).toEqual(['2_added'])
})

test('migrations are in the order of their names, with Prisma’s checksums; each since the first three says whether older versions go on', () => {
  const [initial, , , ...later] = readMigrations()

  expect(initial?.name).toMatch(/^\d{14}_initial$/)
  expect(initial?.checksum).toBe(hash('sha256', initial?.sql ?? ''))
  expect(later.length).toBeGreaterThan(0)
  for (const { name, declaration } of later)
    expect(declaration, `${name}/migration.sql must begin so`).toMatch(/^(in)?compatible: \S/)
})

onPostgres(() => {
  test('after a rollback the older version ends with 0 and a warning, or with 1 where it cannot work any more', async () => {
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
  })
})

function migration(name: string, sql: string): Migration {
  const [line = ''] = sql.split('\n')
  return { name, sql, checksum: hash('sha256', sql), declaration: line.startsWith('-- ') ? line.slice(3) : null }
}

/** One for all tests of the block, which find no table in it. */
function emptiedDatabase(kind: DatabaseKind): { readonly where: Where } {
  let postgres: Awaited<ReturnType<typeof emptyPostgres>> | undefined
  let pglite: PGlite | undefined
  const where = async (): Promise<Where> => {
    if (kind === 'postgres') return { url: (postgres ??= await emptyPostgres()).url }
    // A test that has opened it by Prisma has closed it.
    if (pglite === undefined || pglite.closed) pglite = await freshPglite()
    return { pglite }
  }
  const empty = { where: { url: '' } as Where }
  beforeEach(async () => {
    empty.where = await where()
    const session = await openSession(empty.where)
    await session.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    await session.close()
  })
  afterAll(async () => {
    await postgres?.drop()
    if (pglite?.closed === false) await pglite.close()
  })
  return empty
}
