// A transaction whose raw statements go straight to its connection. Prisma plans, batches and interprets each of them
// otherwise, at several times the cost; its own queries still go through it, on the same connection.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import { UnknownOutcome, isOfAdapter, lossOf } from './connection-loss.ts'
import { Prisma, type PrismaClient } from './generated/client.ts'

type Opening = { transaction?: Transaction; closed?: boolean; committing?: boolean }

const opening = new AsyncLocalStorage<Opening>()

/** Rejects with `UnknownOutcome` where nobody can say whether it was committed. */
export function transact<T>(db: PrismaClient, work: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  const opened: Opening = {}
  const done = opening.run(opened, () => db.$transaction((tx) => work(direct(tx, opened))))
  return done.catch((error: unknown) => {
    throw opened.committing && lossOf(error) === 'away' ? new UnknownOutcome(error) : error
  })
}

/** Notes the transaction that is being opened for a `transact`, and when it is over. */
export const noting = (factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory => ({
  provider: factory.provider,
  adapterName: factory.adapterName,
  connect: async () => {
    const adapter = await factory.connect()
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (isolationLevel) =>
      noted(inSequence(await start(isolationLevel)), opening.getStore())
    return adapter satisfies SqlDriverAdapter
  },
})

/**
 * Prisma sends the queries of an `include` all at once. A connection does one at a time anyway, and its driver is about
 * to refuse what it would have to keep waiting.
 */
function inSequence(transaction: Transaction): Transaction {
  let last: Promise<unknown> = Promise.resolve()
  const after =
    <R>(run: (query: SqlQuery) => Promise<R>) =>
    (query: SqlQuery) => {
      const next = last.then(() => run(query))
      last = next.catch(() => {})
      return next
    }
  transaction.queryRaw = after(transaction.queryRaw.bind(transaction))
  transaction.executeRaw = after(transaction.executeRaw.bind(transaction))
  return transaction
}

function noted(transaction: Transaction, opened: Opening | undefined): Transaction {
  if (opened === undefined) return transaction
  opened.transaction = transaction
  // Prisma ends it by this statement and gives the connection back afterwards: in between a statement of ours would be
  // committed by itself.
  const execute = transaction.executeRaw.bind(transaction)
  transaction.executeRaw = (query) => {
    if (query.sql === 'COMMIT' || query.sql === 'ROLLBACK') opened.closed = true
    if (query.sql === 'COMMIT') opened.committing = true
    return execute(query)
  }
  // Other drivers have no such statement.
  for (const end of ['commit', 'rollback'] as const) {
    const act = transaction[end].bind(transaction)
    transaction[end] = () => {
      opened.closed = true
      return act()
    }
  }
  return transaction
}

function direct(tx: Prisma.TransactionClient, opened: Opening): Prisma.TransactionClient {
  const { transaction } = opened
  if (transaction === undefined) return tx
  const run = async <R>(act: (query: SqlQuery) => Promise<R>, given: Given): Promise<R> => {
    // Prisma ends one that takes too long: its connection may be somebody else's by now.
    if (opened.closed) throw refusal('P2028', 'The transaction is over.')
    return act(queryOf(given)).catch((error: unknown) => {
      throw isOfAdapter(error) ? refusal('P2010', error.message, error) : error
    })
  }
  // Defined, not assigned: an assignment would reach Prisma's own client, which stands behind the transaction.
  return Object.create(tx, {
    $queryRaw: {
      value: async (...given: Given) => rowsOf(await run((query) => transaction.queryRaw(query), given)),
    },
    $executeRaw: { value: (...given: Given) => run((query) => transaction.executeRaw(query), given) },
  }) as Prisma.TransactionClient
}

const refusal = (code: string, message: string, driverAdapterError?: Error) =>
  new Prisma.PrismaClientKnownRequestError(message, {
    code,
    clientVersion: Prisma.prismaVersion.client,
    ...(driverAdapterError && { meta: { driverAdapterError } }),
  })

type Given = readonly [TemplateStringsArray | Prisma.Sql, ...unknown[]]

function queryOf([text, ...values]: Given): SqlQuery {
  const { text: sql, values: args } = 'raw' in text ? Prisma.sql(text, ...values) : text
  return { sql, args, argTypes: args.map(argType) }
}

const argType = (arg: unknown) => ({
  scalarType: 'unknown' as const,
  arity: Array.isArray(arg) ? ('list' as const) : ('scalar' as const),
})

function rowsOf({ columnNames, columnTypes, rows }: SqlResultSet): Record<string, unknown>[] {
  const reads = columnTypes.map(readerOf)
  return rows.map((row) =>
    Object.fromEntries(columnNames.map((name, n) => [name, row[n] === null ? null : reads[n]?.(row[n])])),
  )
}

type Read = (value: unknown) => unknown

const same: Read = (value) => value
const readers: Readonly<Record<number, Read>> = {
  [ColumnTypeEnum.Int64]: (value) => BigInt(value as string),
  [ColumnTypeEnum.Numeric]: (value) => new Prisma.Decimal(value as string),
  [ColumnTypeEnum.Date]: (value) => new Date(value as string),
  [ColumnTypeEnum.DateTime]: (value) => new Date(value as string),
  [ColumnTypeEnum.Bytes]: (value) => new Uint8Array(value as Uint8Array),
  [ColumnTypeEnum.Json]: (value) => JSON.parse(value as string) as unknown,
}
/** What the type of an array is above that of its elements. */
const arrays = ColumnTypeEnum.Int32Array - ColumnTypeEnum.Int32

function readerOf(type: number): Read {
  if (type < arrays || type === ColumnTypeEnum.UnknownNumber) return readers[type] ?? same
  const read = readers[type - arrays]
  return read === undefined ? same : (value) => (value as unknown[]).map((each) => (each === null ? null : read(each)))
}
