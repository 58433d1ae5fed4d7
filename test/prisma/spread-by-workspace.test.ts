// All that belongs to a workspace can be spread over several servers by its id, as docs/operating/capacity.md tells:
// what a key, a reference or a table would need for that is read off the migrated database, and compared with the page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FreshDatabase } from '../support/database.ts'
import { freshDatabase } from '../support/database.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/operating/capacity.md'), 'utf8')

/** The column that tells whose a row is. A workspace is its own; a grant lies with its key. */
const columnOf: Readonly<Record<string, string>> = { workspace: 'id', api_key_workspace: 'home_workspace_id' }

type Key = { readonly table: string; readonly columns: readonly string[] }
type Reference = Key & { readonly name: string; readonly to: string; readonly toColumns: readonly string[] }

let database: FreshDatabase
let spread: Map<string, string>
let others: string[]

beforeAll(async () => {
  database = await freshDatabase('pglite')
  const tables = await rows<{ table: string; columns: string[] }>(`
    SELECT c.relname AS "table", array_agg(a.attname::text) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    GROUP BY c.relname`)
  const ofWorkspaces = ({ table, columns }: Key) => columns.includes(columnOf[table] ?? 'workspace_id')
  spread = new Map(tables.filter(ofWorkspaces).map(({ table }) => [table, columnOf[table] ?? 'workspace_id']))
  others = tables.filter((one) => !ofWorkspaces(one)).map(({ table }) => table)
})
afterAll(() => database?.[Symbol.asyncDispose]())

const rows = <Row>(sql: string): Promise<Row[]> => database.db.$queryRawUnsafe<Row[]>(sql)

/** The names in backticks of a list or a column of the page, below the heading. */
function namedBelow(heading: string): string[] {
  const [, after = ''] = page.split(`### ${heading}\n`)
  const [section = ''] = after.split(/^##/m)
  const lines = section.split('\n').filter((line) => /^(?:\| |- )`/.test(line))
  return lines.flatMap((line) => {
    const first = line.startsWith('|') ? line.split('|', 2).join('|') : line
    return Array.from(first.matchAll(/`([^`]+)`/g), ([, name = '']) => name)
  })
}

test('each table is named by the page, with those that are spread or with those that are on every server', () => {
  expect(spread.size).toBeGreaterThan(40)
  expect(namedBelow('Tables that are spread').toSorted()).toEqual([...spread.keys()].toSorted())
  expect(namedBelow('Tables that every server needs').toSorted()).toEqual(others.toSorted())
})

test('each key of what is spread has the workspace in it, but for those that the page names', async () => {
  const keys = await rows<Key & { name: string }>(`
    SELECT c.relname AS "table", i.relname AS name,
      ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (x.indkey)) AS columns
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
    WHERE x.indisunique AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition`)

  const without = keys.filter(({ table, columns }) => spread.has(table) && !columns.includes(spread.get(table) ?? ''))

  const named = without.map(({ table, columns }) => `${table} (${columns.join(', ')})`)
  expect(named.toSorted()).toEqual(namedBelow('Keys without the workspace').toSorted())
})

test('each reference between tables that are spread is one within the workspace, but for those that the page names', async () => {
  const columns = (of: string, relation: string) =>
    `ARRAY(SELECT a.attname::text FROM unnest(k.${of}) WITH ORDINALITY n(number, place)
      JOIN pg_attribute a ON a.attrelid = k.${relation} AND a.attnum = n.number ORDER BY n.place)`
  const references = await rows<Reference>(`
    SELECT k.conname AS name, f.relname AS "table", t.relname AS "to",
      ${columns('conkey', 'conrelid')} AS columns, ${columns('confkey', 'confrelid')} AS "toColumns"
    FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
    WHERE k.contype = 'f' AND f.relnamespace = 'public'::regnamespace AND k.conparentid = 0 AND NOT f.relispartition`)
  expect(references.length).toBeGreaterThan(40)

  const across = references.filter(({ table, columns: own, to, toColumns }) => {
    const [from, target] = [spread.get(table), spread.get(to)]
    // What is on every server can be referred to from each of them, and refers to nothing that is on one.
    if (target === undefined) return false
    return from === undefined || own.indexOf(from) === -1 || own.indexOf(from) !== toColumns.indexOf(target)
  })

  const named = across.map(({ table, to, columns: own }) => `${table} (${own.join(', ')}) → ${to}`)
  expect(named.toSorted()).toEqual(namedBelow('References across workspaces').toSorted())
})
