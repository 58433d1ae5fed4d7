import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDataFolder, mergingParsersOnce } from '#prisma/pglite.ts'
import type { PGlite, QueryOptions } from '@electric-sql/pglite'
import { freshPglite } from '../support/database.ts'

const parent = mkdtempSync(join(tmpdir(), 'wia-folder-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

test('what was written is found again', async () => {
  const folder = join(parent, 'again')
  {
    await using before = await openDataFolder(folder)
    await before.exec('CREATE TABLE kept (id INT); INSERT INTO kept VALUES (7)')
  }

  await using after = await openDataFolder(folder)

  expect((await after.query('SELECT id FROM kept')).rows).toEqual([{ id: 7 }])
})

test('a folder that another process holds is refused, until that process ends, however it ends', async () => {
  const folder = join(parent, 'held')
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', holding(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await using _ended = { [Symbol.asyncDispose]: async () => void holder.kill('SIGKILL') }
  await once(holder.stdout, 'data')

  await expect(openDataFolder(folder)).rejects.toThrow(`The data folder ${folder} is in use by another process.`)

  holder.kill('SIGKILL')
  await once(holder, 'exit')
  await (await openDataFolder(folder)).close()
})

test('nobody but its owner can read what is in a folder, not even what was open to all before', async () => {
  const folder = join(parent, 'own')
  await (await openDataFolder(folder)).close()
  chmodSync(join(folder, 'PG_VERSION'), 0o644)

  {
    await using pglite = await openDataFolder(folder)
    await pglite.exec('CREATE TABLE made (id INT)')
  }

  const open = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => (statSync(join(folder, path)).mode & 0o077) !== 0,
  )
  expect(open).toEqual([])
})

const holding = (folder: string): string => `
import { openDataFolder } from '#prisma/pglite.ts'
await openDataFolder(${JSON.stringify(folder)})
console.log('open')
setInterval(() => {}, 1000)`

const INT8 = 20
const brought = { rowMode: 'array', parsers: { [INT8]: (text: string) => `parsed ${text}` } } as const
const numbers = 'SELECT 1::int8, 2::int4'

test('queries get the parsers that they bring, in a transaction and outside of one, beside those of PGlite', async () => {
  await using kept = new AsyncDisposableStack()
  const pglite = await freshPglite()
  kept.defer(() => pglite.close())
  const client = mergingParsersOnce(pglite)

  const { rows } = await client.query(numbers, [], brought)
  const inTransaction = await client.transaction(async (tx) => (await tx.query(numbers, [], brought)).rows)

  expect(rows).toEqual([['parsed 1', 2]])
  expect(inTransaction).toEqual(rows)
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
  expect([pglite.parsers, merged]).toEqual([brought.parsers, brought.parsers])
  expect(pglite.parsers).toBe(merged)
})
