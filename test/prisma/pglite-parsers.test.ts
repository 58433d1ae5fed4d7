import { expect, test } from 'vitest'
import type { PGlite, QueryOptions } from '@electric-sql/pglite'
import { mergingParsersOnce } from '#prisma/pglite-parsers.ts'
import { freshPglite } from '../support/database.ts'

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
