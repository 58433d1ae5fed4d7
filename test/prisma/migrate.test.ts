import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase, type Where } from '#prisma/client.ts'
import { readMigrations, type Migration } from '#prisma/history.ts'
import { createPglite } from '#prisma/pglite.ts'
import { assertMigrated, migrate } from '#prisma/migrate.ts'
import { openSession } from '#prisma/session.ts'
import { emptyPostgres, type DatabaseKind } from '../support/database.ts'
import { onEachEngine } from '../support/engines.ts'
import { services } from '../support/services.ts'

const first = migration('1_first', 'CREATE TABLE a (id INT); CREATE TABLE b (id INT);')
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

  test('a database that a newer version migrated is refused', async () => {
    await using empty = await emptyDatabase(kind)
    await migrate(empty.where, [first, second])

    await expect(migrate(empty.where, [first])).rejects.toThrow(
      'The database has migration 2_second, which this version does not know.',
    )
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

test('migrations are read in the order of their names, with the checksum that Prisma would take', () => {
  const [initial] = readMigrations()

  expect(initial?.name).toMatch(/^\d{14}_initial$/)
  expect(initial?.checksum).toBe(hash('sha256', initial?.sql ?? ''))
})

function migration(name: string, sql: string): Migration {
  return { name, sql, checksum: hash('sha256', sql) }
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
  const session = await openSession(where)
  const rows = await session.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  )
  await session.close()
  return rows.map(({ name }) => name)
}
