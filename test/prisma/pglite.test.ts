import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDataFolder, mergingParsersOnce } from '#prisma/pglite.ts'
import type { PGlite, QueryOptions } from '@electric-sql/pglite'
import { freshDataFolder, freshPglite } from '../support/database.ts'

const parent = mkdtempSync(join(tmpdir(), 'wia-folder-'))
/** All tests open it, one after the other: to make one takes longer than they do. */
const folder = join(parent, 'database')
beforeAll(() => freshDataFolder(parent))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

test('what was written is found again, and nobody but its owner can read it, not even what was open to all before', async () => {
  chmodSync(join(folder, 'PG_VERSION'), 0o644)
  {
    await using before = await openDataFolder(folder)
    await before.exec('CREATE TABLE kept (id INT); INSERT INTO kept VALUES (7)')
  }

  const open = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => (statSync(join(folder, path)).mode & 0o077) !== 0,
  )
  expect(open).toEqual([])
  await using after = await openDataFolder(folder)
  expect((await after.query('SELECT id FROM kept')).rows).toEqual([{ id: 7 }])
})

test('a folder that another process holds is refused, until that process ends, however it ends', async () => {
  const holding = `
    import { openDataFolder } from '#prisma/pglite.ts'
    await openDataFolder(${JSON.stringify(folder)})
    console.log('open')
    setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', holding], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await using _ended = { [Symbol.asyncDispose]: async () => void holder.kill('SIGKILL') }
  await once(holder.stdout, 'data')

  await expect(openDataFolder(folder)).rejects.toThrow(`The data folder ${folder} is in use by another process.`)

  holder.kill('SIGKILL')
  await once(holder, 'exit')
  await (await openDataFolder(folder)).close()
})

const damages: [string, (copy: string) => void, RegExp][] = [
  ['half a table', (copy) => truncateSync(catalogueIn(copy), 100), /is damaged\. .*put the same one of a backup/],
  ['no control file', (copy) => rmSync(join(copy, 'global/pg_control')), /is damaged\. .*put the same one of a backup/],
  [
    'another version',
    (copy) => writeFileSync(join(copy, 'PG_VERSION'), '15\n'),
    /Postgres 15 .* this version reads 18/,
  ],
]

test.each(damages)('of a folder with %s it says what to do', async (_, damage, said) => {
  const copy = join(parent, 'damaged')
  cpSync(folder, copy, { recursive: true })
  onTestFinished(() => rmSync(copy, { recursive: true }))
  damage(copy)

  await expect(openDataFolder(copy)).rejects.toThrow(said)
})

test('in a folder that has lost the file by which PGlite knows a database, none is made over what is left', async () => {
  const copy = join(parent, 'damaged')
  cpSync(folder, copy, { recursive: true })
  onTestFinished(() => rmSync(copy, { recursive: true }))
  rmSync(join(copy, 'PG_VERSION'))
  const before = filesIn(copy)

  await expect(openDataFolder(copy)).rejects.toThrow(/no database .* was not changed\. .* of a backup/)

  expect(filesIn(copy)).toEqual(before)
})

/** The table of all tables, in the one database of tests. */
const catalogueIn = (copy: string): string =>
  join(copy, Object.keys(filesIn(copy)).find((path) => /^base\/\d+\/1259$/.test(path)) ?? '')

const filesIn = (copy: string): Record<string, number> =>
  Object.fromEntries(
    readdirSync(copy, { recursive: true, encoding: 'utf8' }).map((path) => [path, statSync(join(copy, path)).size]),
  )

const INT8 = 20
const brought = { rowMode: 'array', parsers: { [INT8]: (text: string) => `parsed ${text}` } } as const
const numbers = 'SELECT 1::int8, 2::int4'

test('queries get the parsers that they bring, in a transaction and outside of one, beside those of PGlite', async () => {
  const pglite = await freshPglite()
  const client = mergingParsersOnce(pglite)

  const { rows } = await client.query(numbers, [], brought)
  const inTransaction = await client.transaction(async (tx) => (await tx.query(numbers, [], brought)).rows)
  await pglite.close()

  expect([rows, inTransaction]).toEqual([[['parsed 1', 2]], [['parsed 1', 2]]])
})

test('PGlite is given no parsers with a query, so it merges none', async () => {
  const asked: (QueryOptions | undefined)[] = []
  const query = async (_sql: string, _values: unknown, options?: QueryOptions) => void asked.push(options)
  const pglite = { parsers: {}, query, exec: async () => {} } as unknown as PGlite
  const client = mergingParsersOnce(pglite)

  await client.query(numbers, [], brought)
  const merged = pglite.parsers
  await client.query(numbers, [], brought)

  expect(asked).toEqual([{ rowMode: 'array' }, { rowMode: 'array' }])
  expect(merged).toEqual(brought.parsers)
  expect(pglite.parsers).toBe(merged)
})
