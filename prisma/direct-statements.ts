// Raw statements that go straight to the driver. Through Prisma, which plans, batches and interprets each statement,
// they cost several times as much. What goes in, what comes out and what is thrown is as it is through Prisma.
import { ColumnTypeEnum, type SqlQuery, type SqlQueryable, type SqlResultSet } from '@prisma/driver-adapter-utils'
import { isAdapterError } from './database-errors.ts'
import { Prisma, type PrismaClient } from './generated/client.ts'

/** Prisma's client with its raw statements sent to `driver`. */
export const directClient = (own: PrismaClient, driver: SqlQueryable): PrismaClient =>
  // Members are defined, not assigned: an assignment would change Prisma's own client behind this one.
  // Configurable, or no proxy might have members of its own in their place (prisma/caller-signal.ts).
  Object.create(own, {
    $queryRaw: { value: (...statement: RawStatement) => sendQuery(driver, statement), configurable: true },
    $executeRaw: { value: (...statement: RawStatement) => sendCommand(driver, statement), configurable: true },
    $transaction: { value: own.$transaction.bind(own), configurable: true },
  }) as PrismaClient

export async function sendQuery(driver: SqlQueryable, statement: RawStatement): Promise<Record<string, unknown>[]> {
  const result = await driver.queryRaw(queryOf(statement)).catch(rethrow)
  return rowsOf(result, hasTextTimes(statement[0]))
}

export const sendCommand = async (driver: SqlQueryable, statement: RawStatement): Promise<number> =>
  driver.executeRaw(queryOf(statement)).catch(rethrow)

function rethrow(error: unknown): never {
  throw isAdapterError(error) ? prismaError('P2010', error.message, error) : error
}

export const prismaError = (code: string, message: string, driverAdapterError?: Error) =>
  new Prisma.PrismaClientKnownRequestError(message, {
    code,
    clientVersion: Prisma.prismaVersion.client,
    ...(driverAdapterError && { meta: { driverAdapterError } }),
  })

export type RawStatement = readonly [TemplateStringsArray | Prisma.Sql, ...unknown[]]

function queryOf([text, ...values]: RawStatement): SqlQuery {
  const { text: sql, values: args } = 'raw' in text ? Prisma.sql(text, ...values) : text
  return { sql, args, argTypes: args.map(argType) }
}

const argType = (arg: unknown) => ({
  scalarType: 'unknown' as const,
  arity: Array.isArray(arg) ? ('list' as const) : ('scalar' as const),
})

const marked = Symbol('times as text')

/**
 * The statement, marked: its rows have times as the contract writes them, and days. A list reads hundreds of them, and
 * making a Date of each only to write it again costs more than all else of a row.
 */
export const withTextTimes = (statement: Prisma.Sql): Prisma.Sql => Object.assign(statement, { [marked]: true })

const hasTextTimes = (statement: object): boolean => marked in statement

function rowsOf({ columnNames, columnTypes, rows }: SqlResultSet, textTimes: boolean): Record<string, unknown>[] {
  const columns = columnNames.map((name, at) => ({ name, read: readerOf(columnTypes[at] ?? 0, textTimes) }))
  return rows.map((values) => {
    const row: Record<string, unknown> = {}
    let at = 0
    for (const { name, read } of columns) {
      const value = values[at++]
      row[name] = value === null ? null : read(value)
    }
    return row
  })
}

type Read = (value: unknown) => unknown

const unchanged: Read = (value) => value
const readers: Readonly<Record<number, Read>> = {
  [ColumnTypeEnum.Int64]: (value) => BigInt(value as string),
  [ColumnTypeEnum.Numeric]: (value) => new Prisma.Decimal(value as string),
  [ColumnTypeEnum.Date]: (value) => new Date(value as string),
  [ColumnTypeEnum.DateTime]: (value) => new Date(value as string),
  [ColumnTypeEnum.Bytes]: (value) => new Uint8Array(value as Uint8Array),
  [ColumnTypeEnum.Json]: (value) => JSON.parse(value as string) as unknown,
}
const textReaders: typeof readers = {
  ...readers,
  [ColumnTypeEnum.Date]: unchanged,
  [ColumnTypeEnum.DateTime]: (value) => isoTime(value as string),
}

/** Of `2026-03-29T01:30:00.12+00:00`, as drivers write a time: they leave out zeros at the end. */
function isoTime(text: string): string {
  const fraction = text.slice(20, -6)
  return `${text.slice(0, 19)}.${fraction.length === 3 ? fraction : fraction.slice(0, 3).padEnd(3, '0')}Z`
}

/** The difference between the type of an array and the type of its elements. */
const arrayOffset = ColumnTypeEnum.Int32Array - ColumnTypeEnum.Int32

function readerOf(type: number, textTimes: boolean): Read {
  const ofType = textTimes ? textReaders : readers
  if (type < arrayOffset || type === ColumnTypeEnum.UnknownNumber) return ofType[type] ?? unchanged
  const read = ofType[type - arrayOffset]
  return read === undefined
    ? unchanged
    : (value) => (value as unknown[]).map((each) => (each === null ? null : read(each)))
}
