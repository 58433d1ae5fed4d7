// Rows as lines of JSON, which the database itself writes and reads: no value passes through the types of this process.
import { createHash } from 'node:crypto'
import type { Session } from '#prisma/sql-session.ts'
import { isLeftOut, rowsIn, type Scope, type Table } from './tables.ts'

export type Lines = AsyncIterable<readonly string[]>
/** What a table holds: the SHA-256 is of its lines, each with a line feed. */
export type Sum = { readonly rows: number; readonly sha256: string }

/** Of what is held in memory at once. A row that is larger comes alone. */
export const bytesAtOnce = 2 * 1024 * 1024
export const rowsAtOnce = 1_000
const rowsAtFirst = 25

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const listed = (names: readonly string[], before = ''): string => names.map((name) => before + quoted(name)).join(', ')

/** Within a transaction, one after the other. */
export async function* readRows(session: Session, table: Table, scope: Scope): Lines {
  const columns = table.columns.map((name) =>
    isLeftOut(table, name, scope) ? `NULL AS ${quoted(name)}` : quoted(name),
  )
  const order = table.key.map(({ name, isText }) => `r.${quoted(name)}${isText ? ' COLLATE "C"' : ''}`)
  yield* readLines(
    session,
    `SELECT row_to_json(r)::text AS line
     FROM (SELECT ${columns.join(', ')} FROM ${quoted(table.name)} WHERE ${rowsIn(table, scope)}) r
     ORDER BY ${order.join(', ')}`,
  )
}

async function* readLines(session: Session, select: string): Lines {
  await session.run(`DECLARE moving NO SCROLL CURSOR FOR ${select}`)
  for (let count = rowsAtFirst; ;) {
    const rows = await session.query<{ line: string }>(`FETCH ${count} FROM moving`)
    if (rows.length === 0) break
    yield rows.map(({ line }) => line)
    const bytes = rows.reduce((sum, { line }) => sum + line.length, 0)
    const fitting = Math.floor((rows.length * bytesAtOnce) / bytes)
    count = Math.max(1, Math.min(fitting, count * 2, rowsAtOnce))
  }
  await session.run('CLOSE moving')
}

export async function countRows(session: Session, table: Table, scope: Scope): Promise<number> {
  const [found] = await session.query<{ count: string }>(
    `SELECT count(*)::text AS count FROM ${quoted(table.name)} WHERE ${rowsIn(table, scope)}`,
  )
  return Number(found?.count)
}

/** Passes the lines on, and has their sum when all have passed. */
export function summing(lines: Lines): { readonly lines: Lines; readonly sum: () => Sum } {
  const hash = createHash('sha256')
  let rows = 0
  async function* passing(): Lines {
    for await (const some of lines) {
      for (const line of some) hash.update(line).update('\n')
      rows += some.length
      yield some
    }
  }
  return { lines: passing(), sum: () => ({ rows, sha256: hash.digest('hex') }) }
}

export async function sumOf(lines: Lines, onRows: (count: number) => void = () => {}): Promise<Sum> {
  const summed = summing(lines)
  for await (const some of summed.lines) onRows(some.length)
  return summed.sum()
}

/** Without the columns that refer to rows of the same table, which may come later. */
export async function insertRows(session: Session, table: Table, lines: readonly string[]): Promise<void> {
  const columns = listed(table.columns.filter((name) => !table.links.includes(name)))
  await session.query(
    `INSERT INTO ${quoted(table.name)} (${columns})
     SELECT ${columns} FROM json_populate_recordset(NULL::${quoted(table.name)}, $1::text::json)`,
    [asList(lines)],
  )
}

/** Writes the columns that `insertRows` has left out. */
export async function linkRows(session: Session, table: Table, lines: readonly string[]): Promise<void> {
  const { name, links } = table
  const sameKey = table.key.map((each) => `t.${quoted(each.name)} = r.${quoted(each.name)}`).join(' AND ')
  await session.query(
    `UPDATE ${quoted(name)} t SET (${listed(links)}) = ROW (${listed(links, 'r.')})
     FROM json_populate_recordset(NULL::${quoted(name)}, $1::text::json) r
     WHERE ${sameKey} AND num_nonnulls(${listed(links, 'r.')}) > 0`,
    [asList(lines)],
  )
}

const asList = (lines: readonly string[]): string => `[${lines.join(',')}]`
