// A transaction whose raw statements go straight to its connection (prisma/direct-statements.ts), which Prisma's own
// queries run on, too. It ends with its caller, unless its commit has begun.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, Transaction } from '@prisma/driver-adapter-utils'
import { Cancelled, sendFor } from './caller-signal.ts'
import { UnknownOutcome, lossOf } from './database-errors.ts'
import { prismaError, withDirectStatements } from './direct-statements.ts'
import type { Prisma, PrismaClient } from './generated/client.ts'

type TransactionState = {
  readonly signal?: AbortSignal | undefined
  transaction?: Transaction
  closed?: boolean
  committing?: boolean
  /** How many statements have changed something, as far as their text tells, or have failed. */
  marks: number
  /** Statements that were sent and are not awaited before the commit. */
  readonly pending: Promise<unknown>[]
}
type Work<T> = (tx: Prisma.TransactionClient) => Promise<T>

const currentState = new AsyncLocalStorage<TransactionState>()
const states = new WeakMap<Prisma.TransactionClient, TransactionState>()

/**
 * Returns a number that is another one once a statement of the transaction may have left something to roll back: it has
 * changed something, or has failed.
 */
export const marksOf = (tx: Prisma.TransactionClient): number => states.get(tx)?.marks ?? 0

/**
 * Rejects with `UnknownOutcome` when the connection was lost during the commit, and with `Cancelled` when `signal` was
 * aborted before the commit: then everything is rolled back.
 */
export async function transact<T>(db: PrismaClient, work: Work<T>, signal?: AbortSignal): Promise<T> {
  const state: TransactionState = { signal, marks: 0, pending: [] }
  const doAll: Work<T> = async (tx) => {
    const result = await work(direct(tx, state))
    if (signal?.aborted === true) throw new Cancelled()
    return result
  }
  try {
    const result = await currentState.run(state, () => db.$transaction(doAll))
    await Promise.all(state.pending)
    return result
  } catch (thrown) {
    // The first failed statement is the cause: later ones fail only because the transaction is aborted.
    const failed = (await Promise.allSettled(state.pending)).find(({ status }) => status === 'rejected')
    const error: unknown = failed?.status === 'rejected' ? failed.reason : thrown
    throw state.committing && lossOf(error) === 'away' ? new UnknownOutcome(error) : error
  }
}

/**
 * Does not await a statement before the commit, which is sent right after it. If the statement fails, nothing is
 * committed, and the transaction rejects with its error. Throws outside of `transact`, where the error would be lost.
 */
export function withoutWaiting(tx: Prisma.TransactionClient, statement: Promise<unknown>): void {
  statement.catch(() => {})
  const state = states.get(tx)
  if (state === undefined) throw new Error('This is no transaction of `transact`')
  state.pending.push(statement)
}

/** Runs `work` in a transaction that is always rolled back, and returns what it has returned. */
export async function transactAndRollBack<T>(db: PrismaClient, work: Work<T>, signal?: AbortSignal): Promise<T> {
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
export const withTransactionTracking = (
  factory: SqlDriverAdapterFactory,
  isPipelined: boolean,
): SqlDriverAdapterFactory => ({
  provider: factory.provider,
  adapterName: factory.adapterName,
  connect: async () => {
    const adapter = await factory.connect()
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (isolationLevel) => {
      const state = currentState.getStore()
      const sending = sendingFor(state?.signal, await start(isolationLevel))
      return tracked(isPipelined ? sending : inSequence(sending), state)
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
function sendingFor(signal: AbortSignal | undefined, transaction: Transaction): Transaction {
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
  const [execute, queryRaw] = [transaction.executeRaw.bind(transaction), transaction.queryRaw.bind(transaction)]
  transaction.executeRaw = (query) => {
    if (endsTransaction(query)) state.closed = true
    if (query.sql === 'COMMIT') state.committing = true
    return marked(state, query, execute)
  }
  transaction.queryRaw = (query) => marked(state, query, queryRaw)
  // These give the connection back, and some adapters end a transaction by them alone: what was handed on comes first.
  for (const end of ['commit', 'rollback'] as const) {
    const act = transaction[end].bind(transaction)
    transaction[end] = async () => {
      state.closed = true
      await Promise.allSettled(state.pending)
      return act()
    }
  }
  return transaction
}

function marked<R>(state: TransactionState, query: SqlQuery, run: (query: SqlQuery) => Promise<R>): Promise<R> {
  if (!isRead.test(query.sql)) state.marks++
  return run(query).catch((error: unknown) => {
    state.marks++
    throw error
  })
}

const isRead = /^\s*SELECT\b/

function direct(tx: Prisma.TransactionClient, state: TransactionState): Prisma.TransactionClient {
  const { transaction } = state
  if (transaction === undefined) {
    states.set(tx, state)
    return tx
  }
  const client = withDirectStatements(tx, transaction, () => {
    // Prisma ends a transaction that takes too long: its connection may belong to another one by now.
    if (state.closed) throw prismaError('P2028', 'The transaction is over.')
  })
  states.set(client, state)
  return client
}
