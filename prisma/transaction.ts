// A transaction whose raw statements go straight to its connection. Through Prisma, which plans, batches and interprets
// each statement, they cost several times as much. Prisma's own queries run on the same connection.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import { Cancelled, sendFor } from './caller-signal.ts'
import { UnknownOutcome, isAdapterError, lossOf } from './connection-loss.ts'
import { Prisma, type PrismaClient } from './generated/client.ts'

type TransactionState = {
  readonly signal?: AbortSignal | undefined
  transaction?: Transaction
  closed?: boolean
  committing?: boolean
}
type Work<T> = (tx: Prisma.TransactionClient) => Promise<T>

const currentState = new AsyncLocalStorage<TransactionState>()

/**
 * Rejects with `UnknownOutcome` when the connection was lost during the commit, and with `Cancelled` when `signal` was
 * aborted before the commit: then everything is rolled back.
 */
export function transact<T>(db: PrismaClient, work: Work<T>, signal?: AbortSignal): Promise<T> {
  const state: TransactionState = { signal }
  const doAll: Work<T> = async (tx) => {
    const result = await work(withDirectStatements(tx, state))
    if (signal?.aborted === true) throw new Cancelled()
    return result
  }
  const done = currentState.run(state, () => db.$transaction(doAll))
  return done.catch((error: unknown) => {
    throw state.committing && lossOf(error) === 'away' ? new UnknownOutcome(error) : error
  })
}

/** Runs `work` in a transaction that is always rolled back, and returns what it has returned. */
export async function rehearse<T>(db: PrismaClient, work: Work<T>, signal?: AbortSignal): Promise<T> {
  const { promise: result, resolve } = Promise.withResolvers<T>()
  const rollBack = new Error('Rolled back, as it was only to be tried')
  const tryOut: Work<never> = async (tx) => {
    resolve(await work(tx))
    throw rollBack
  }
  await transact(db, tryOut, signal).catch((error: unknown) => {
    if (error !== rollBack) throw error
  })
  return result
}

/** Wraps an adapter so that `transact` knows its transaction, and when that has ended. */
export const withTransactionTracking = (factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory => ({
  provider: factory.provider,
  adapterName: factory.adapterName,
  connect: async () => {
    const adapter = await factory.connect()
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (isolationLevel) => {
      const state = currentState.getStore()
      return tracked(inSequence(sentFor(state?.signal, await start(isolationLevel))), state)
    }
    return adapter satisfies SqlDriverAdapter
  },
})

/**
 * Prisma sends the queries of an `include` all at once. A connection runs one at a time anyway, and the next version of
 * the driver refuses a query while another one runs.
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

/** Its end is never cancelled: a commit that was sent is waited for. */
function sentFor(signal: AbortSignal | undefined, transaction: Transaction): Transaction {
  if (signal === undefined) return transaction
  const forCaller =
    <R>(run: (query: SqlQuery) => Promise<R>) =>
    (query: SqlQuery) =>
      endsTransaction(query) ? run(query) : sendFor(signal, () => run(query))
  transaction.queryRaw = forCaller(transaction.queryRaw.bind(transaction))
  transaction.executeRaw = forCaller(transaction.executeRaw.bind(transaction))
  return transaction
}

const endsTransaction = ({ sql }: SqlQuery): boolean => sql === 'COMMIT' || sql === 'ROLLBACK'

function tracked(transaction: Transaction, state: TransactionState | undefined): Transaction {
  if (state === undefined) return transaction
  state.transaction = transaction
  // Prisma sends COMMIT and returns the connection to the pool afterwards: a raw statement in between would run outside
  // of the transaction.
  const execute = transaction.executeRaw.bind(transaction)
  transaction.executeRaw = (query) => {
    if (endsTransaction(query)) state.closed = true
    if (query.sql === 'COMMIT') state.committing = true
    return execute(query)
  }
  // Other adapters end a transaction by these methods alone.
  for (const end of ['commit', 'rollback'] as const) {
    const act = transaction[end].bind(transaction)
    transaction[end] = () => {
      state.closed = true
      return act()
    }
  }
  return transaction
}

function withDirectStatements(tx: Prisma.TransactionClient, state: TransactionState): Prisma.TransactionClient {
  const { transaction } = state
  if (transaction === undefined) return tx
  const run = async <R>(act: (query: SqlQuery) => Promise<R>, statement: RawStatement): Promise<R> => {
    // Prisma ends a transaction that takes too long: its connection may belong to another one by now.
    if (state.closed) throw prismaError('P2028', 'The transaction is over.')
    return act(queryOf(statement)).catch((error: unknown) => {
      throw isAdapterError(error) ? prismaError('P2010', error.message, error) : error
    })
  }
  // Properties are defined, not assigned: an assignment would change Prisma's own client behind the transaction.
  return Object.create(tx, {
    $queryRaw: {
      value: async (...statement: RawStatement) => rowsOf(await run((query) => transaction.queryRaw(query), statement)),
    },
    $executeRaw: { value: (...statement: RawStatement) => run((query) => transaction.executeRaw(query), statement) },
  }) as Prisma.TransactionClient
}

const prismaError = (code: string, message: string, driverAdapterError?: Error) =>
  new Prisma.PrismaClientKnownRequestError(message, {
    code,
    clientVersion: Prisma.prismaVersion.client,
    ...(driverAdapterError && { meta: { driverAdapterError } }),
  })

type RawStatement = readonly [TemplateStringsArray | Prisma.Sql, ...unknown[]]

function queryOf([text, ...values]: RawStatement): SqlQuery {
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

const unchanged: Read = (value) => value
const readers: Readonly<Record<number, Read>> = {
  [ColumnTypeEnum.Int64]: (value) => BigInt(value as string),
  [ColumnTypeEnum.Numeric]: (value) => new Prisma.Decimal(value as string),
  [ColumnTypeEnum.Date]: (value) => new Date(value as string),
  [ColumnTypeEnum.DateTime]: (value) => new Date(value as string),
  [ColumnTypeEnum.Bytes]: (value) => new Uint8Array(value as Uint8Array),
  [ColumnTypeEnum.Json]: (value) => JSON.parse(value as string) as unknown,
}
/** The difference between the type of an array and the type of its elements. */
const arrayOffset = ColumnTypeEnum.Int32Array - ColumnTypeEnum.Int32

function readerOf(type: number): Read {
  if (type < arrayOffset || type === ColumnTypeEnum.UnknownNumber) return readers[type] ?? unchanged
  const read = readers[type - arrayOffset]
  return read === undefined
    ? unchanged
    : (value) => (value as unknown[]).map((each) => (each === null ? null : read(each)))
}
