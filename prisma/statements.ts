// Raw statements, as files called `rows.ts` or `…-rows.ts` declare them: with the columns that they return, from which
// the type of a row follows. A declaration is checked, not believed: `test/prisma/statements.test.ts` prepares every
// declared statement on Postgres and compares its columns, and in all tests every returned row is compared as well.
// At run time a statement costs what it costs without: no types are looked at (docs/decisions/0014-raw-statements.md).
import type { Prisma } from './generated/client.ts'

/** The client or a transaction, and the client of one caller (`clientFor`). */
type Sender = Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRaw'>

declare const value: unique symbol

/** A column of a result: its type in Postgres and, for the compiler, the type of its values here. */
export type Column<T> = {
  readonly type: ColumnType
  readonly isList: boolean
  readonly isNullable: boolean
  readonly isPresent: boolean
  readonly [value]?: T
  /** The same column where it may hold NULL. */
  readonly orNull: Column<T | null>
  /** The same column where the rows of the statement hold a value, though the table admits NULL. */
  readonly present: Column<T>
  /** The same column as an array. */
  readonly list: Column<T[]>
  /** The same column where its values are known better than their type in Postgres says: `column.text.of<Status>()`. */
  of<U extends T>(): Column<U>
}
export type ColumnType = keyof Values
export type Columns = Readonly<Record<string, Column<unknown>>>
export type RowOf<C extends Columns> = { readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never }

type Values = {
  text: string
  uuid: string
  int: number
  bigint: bigint
  float: number
  decimal: Prisma.Decimal
  bool: boolean
  time: Date
  day: Date
  json: unknown
  bytes: Uint8Array<ArrayBuffer>
}

type Traits = { readonly isNullable: boolean; readonly isPresent: boolean; readonly isList: boolean }
const plain: Traits = { isNullable: false, isPresent: false, isList: false }

export const column: { readonly [K in ColumnType]: Column<Values[K]> } = {
  text: columnOf('text'),
  uuid: columnOf('uuid'),
  int: columnOf('int'),
  bigint: columnOf('bigint'),
  float: columnOf('float'),
  decimal: columnOf('decimal'),
  bool: columnOf('bool'),
  time: columnOf('time'),
  day: columnOf('day'),
  json: columnOf('json'),
  bytes: columnOf('bytes'),
}

function columnOf<T>(type: ColumnType, traits = plain): Column<T> {
  return {
    ...traits,
    type,
    get orNull() {
      return columnOf<T | null>(type, { ...traits, isNullable: true })
    },
    get present() {
      return columnOf<T>(type, { ...traits, isPresent: true })
    },
    get list() {
      return columnOf<T[]>(type, { ...traits, isList: true })
    },
    of: <U extends T>() => columnOf<U>(type, traits),
  }
}

export type Declared = {
  /** Null for a command, whose rows are counted. */
  readonly columns: Columns | null
  readonly build: (...given: never) => Prisma.Sql
  /** What a test builds it with, where its text depends on more than whether something is given. */
  readonly examples: readonly (readonly unknown[])[]
}
/** All statements of the modules that are loaded. */
export const declaredStatements: Declared[] = []

/** Declares a statement that returns rows. `build` makes it of what is given with a call. */
export function query<C extends Columns, A extends readonly unknown[]>(
  columns: C,
  build: (...given: A) => Prisma.Sql,
  examples: readonly NoInfer<A>[] = [],
): (db: Sender, ...given: A) => Promise<RowOf<C>[]> {
  declaredStatements.push({ columns, build, examples })
  return (db, ...given) => {
    const rows = db.$queryRaw<RowOf<C>[]>(build(...given))
    return look === null ? rows : lookedAt(look, columns, rows)
  }
}

/** Declares a statement that returns no rows but how many it has changed or locked. */
export function command<A extends readonly unknown[]>(
  build: (...given: A) => Prisma.Sql,
  examples: readonly NoInfer<A>[] = [],
): (db: Sender, ...given: A) => Promise<number> {
  declaredStatements.push({ columns: null, build, examples })
  return (db, ...given) => db.$executeRaw(build(...given))
}

type Look = (columns: Columns, rows: readonly Readonly<Record<string, unknown>>[]) => void
let look: Look | null = null

/** For tests: from then on `next` is shown all rows that declared statements return. */
export function lookAtRows(next: Look): void {
  look = next
}

async function lookedAt<R extends Readonly<Record<string, unknown>>>(
  lookAt: Look,
  columns: Columns,
  returned: Promise<R[]>,
): Promise<R[]> {
  const rows = await returned
  lookAt(columns, rows)
  return rows
}
