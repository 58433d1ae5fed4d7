// A transaction on one connection. It is begun and ended here, and raw statements go straight to its connection
// (prisma/direct-statements.ts). Prisma's client is brought in by the first call of a model: it is given the same
// connection, and believes that it began the transaction itself. A transaction ends with its caller, unless its commit
// has begun.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, Transaction } from '@prisma/driver-adapter-utils'
import { Cancelled, sendFor } from './caller-signal.ts'
import { UnknownOutcome, lossOf } from './database-errors.ts'
import { prismaError, sendCommand, sendQuery, type RawStatement } from './direct-statements.ts'
import { Prisma, type PrismaClient } from './generated/client.ts'

export type Begin = {
  /** Prisma's own client. */
  readonly own: PrismaClient
  readonly driver: SqlDriverAdapter
  /** Statements may be sent without waiting for the answer to the one before. */
  readonly isPipelined: boolean
  /** How long a transaction may wait for a connection, and how long it may last. */
  readonly maxWaitMs: number
  readonly maxMs: number
}
type Work<T> = (tx: Prisma.TransactionClient) => Promise<T>

/** The member of a client that runs its transactions: a proxy of the client has it as well, or another in its place. */
export const transactMember = Symbol('transact')
type Transacting = { readonly [transactMember]?: <T>(work: Work<T>, signal?: AbortSignal) => Promise<T> }
const opened = new WeakMap<Prisma.TransactionClient, OpenTransaction>()
/** The transaction whose connection Prisma is given. */
const lending = new AsyncLocalStorage<OpenTransaction>()

/** Says how transactions of this client are begun. */
export function beginWith(db: PrismaClient, begin: Begin): void {
  const value = <T>(work: Work<T>, signal?: AbortSignal): Promise<T> => transactOn(begin, work, signal)
  Object.defineProperty(db, transactMember, { value, configurable: true })
}

/**
 * Returns a number that is another one once a statement of the transaction may have left something to roll back: it has
 * changed something, or has failed.
 */
export const marksOf = (tx: Prisma.TransactionClient): number => opened.get(tx)?.marks ?? 0

/**
 * Rejects with `UnknownOutcome` when the connection was lost during the commit, with `Cancelled` when `signal` was
 * aborted before the commit, and with P2028 when it got no connection or took too long: then everything is rolled back.
 */
export async function transact<T>(db: PrismaClient, work: Work<T>, signal?: AbortSignal): Promise<T> {
  const run = (db as Transacting)[transactMember]
  if (run === undefined) throw new Error('Transactions of this client are not begun here')
  return run(work, signal)
}

async function transactOn<T>(begin: Begin, work: Work<T>, signal: AbortSignal | undefined): Promise<T> {
  const open = new OpenTransaction(begin, await startedInTime(begin), signal)
  const timer = setTimeout(() => void open.expire(), begin.maxMs)
  const tx = clientOf(open)
  opened.set(tx, open)
  try {
    const result = await work(tx)
    if (signal?.aborted === true) throw new Cancelled()
    await open.commit()
    await Promise.all(open.pending)
    return result
  } catch (thrown) {
    await open.rollBack()
    // The first failed statement is the cause: later ones fail only because the transaction is aborted.
    const failed = (await Promise.allSettled(open.pending)).find(({ status }) => status === 'rejected')
    const error: unknown = failed?.status === 'rejected' ? failed.reason : thrown
    throw open.isCommitting && lossOf(error) === 'away' ? new UnknownOutcome(error) : error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Does not await a statement before the commit, which is sent right after it. If the statement fails, nothing is
 * committed, and the transaction rejects with its error. Throws outside of `transact`, where the error would be lost.
 */
export function withoutWaiting(tx: Prisma.TransactionClient, statement: Promise<unknown>): void {
  statement.catch(() => {})
  const open = opened.get(tx)
  if (open === undefined) throw new Error('This is no transaction of `transact`')
  open.pending.push(statement)
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

/** One that comes too late is given back. */
async function startedInTime({ driver, maxWaitMs }: Begin): Promise<Transaction> {
  const late = Promise.withResolvers<never>()
  const tooLate = () => late.reject(prismaError('P2028', 'No connection came free for the transaction.'))
  const timer = setTimeout(tooLate, maxWaitMs)
  const starting = driver.startTransaction()
  try {
    return await Promise.race([starting, late.promise])
  } catch (error) {
    starting.then((transaction) => endTransaction(transaction, 'ROLLBACK', [])).catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Some drivers end a transaction by a statement, others by the call that gives the connection back. */
async function endTransaction(
  transaction: Transaction,
  sql: 'COMMIT' | 'ROLLBACK',
  pending: readonly Promise<unknown>[],
): Promise<void> {
  const isByStatement = !transaction.options.usePhantomQuery
  try {
    if (isByStatement) await transaction.executeRaw({ sql, args: [], argTypes: [] })
  } catch (error) {
    await Promise.allSettled(pending)
    await transaction.rollback()
    throw error
  }
  await Promise.allSettled(pending)
  await (sql === 'COMMIT' ? transaction.commit() : transaction.rollback())
}

const isRead = /^\s*SELECT\b/

class OpenTransaction {
  readonly provider = 'postgres'
  readonly adapterName: string
  /** How many statements have changed something, as far as their text tells, or have failed. */
  marks = 0
  isCommitting = false
  /** Statements that were sent and are not awaited before the commit. */
  readonly pending: Promise<unknown>[] = []
  readonly #begin: Begin
  readonly #transaction: Transaction
  readonly #signal: AbortSignal | undefined
  readonly #over = Promise.withResolvers<void>()
  #models: Promise<Prisma.TransactionClient> | null = null
  #isExpired = false
  #isOver = false

  constructor(begin: Begin, transaction: Transaction, signal: AbortSignal | undefined) {
    this.#begin = begin
    this.#transaction = begin.isPipelined ? transaction : inSequence(transaction)
    this.#signal = signal
    this.adapterName = transaction.adapterName
  }

  readonly queryRaw = (query: SqlQuery) => this.#send(query, () => this.#transaction.queryRaw(query))
  readonly executeRaw = (query: SqlQuery) => this.#send(query, () => this.#transaction.executeRaw(query))

  async #send<R>({ sql }: SqlQuery, run: () => Promise<R>): Promise<R> {
    this.#assertOpen()
    if (!isRead.test(sql)) this.marks++
    try {
      return await (this.#signal === undefined ? run() : sendFor(this.#signal, run))
    } catch (error) {
      this.marks++
      throw error
    }
  }

  /** Its connection may belong to another transaction by now. */
  #assertOpen(): void {
    if (this.#isOver) throw prismaError('P2028', 'The transaction is over.')
  }

  /** Prisma's client in this transaction. */
  models(): Promise<Prisma.TransactionClient> {
    this.#assertOpen()
    this.#models ??= this.#openModels()
    return this.#models
  }

  #openModels(): Promise<Prisma.TransactionClient> {
    const { own, maxMs } = this.#begin
    const { promise, resolve, reject } = Promise.withResolvers<Prisma.TransactionClient>()
    const untilOver: Work<void> = (tx) => {
      resolve(tx)
      return this.#over.promise
    }
    lending.run(this, () => own.$transaction(untilOver, { timeout: 2 * maxMs })).catch(reject)
    return promise
  }

  /** What Prisma takes for a transaction that it began: its end is decided here. */
  lent(): Transaction {
    const { provider, adapterName, queryRaw, executeRaw } = this
    const nothing = async () => {}
    return {
      provider,
      adapterName,
      queryRaw,
      executeRaw,
      commit: nothing,
      rollback: nothing,
      options: { usePhantomQuery: true },
    }
  }

  /** Never cancelled: a commit that was sent is waited for. */
  async commit(): Promise<void> {
    if (this.#isExpired) throw prismaError('P2028', 'The transaction has taken too long.')
    this.isCommitting = true
    await this.#end('COMMIT')
  }

  async rollBack(): Promise<void> {
    if (!this.#isOver) await this.#end('ROLLBACK').catch(() => {})
  }

  async expire(): Promise<void> {
    if (this.#isOver) return
    this.#isExpired = true
    await this.rollBack()
  }

  async #end(sql: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    this.#isOver = true
    this.#over.resolve()
    await endTransaction(this.#transaction, sql, this.pending)
  }
}

/** For Prisma's client: it is given the connection of the transaction in which a model was called. */
export const lendingTransactions = (
  factory: SqlDriverAdapterFactory,
  isPipelined: boolean,
): SqlDriverAdapterFactory => ({
  provider: factory.provider,
  adapterName: factory.adapterName,
  connect: async () => {
    const adapter = await factory.connect()
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (isolationLevel) => {
      const open = lending.getStore()
      if (open !== undefined) return open.lent()
      const transaction = await start(isolationLevel)
      return isPipelined ? transaction : inSequence(transaction)
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

// What is handed to the work of a transaction: raw statements and the models, as members of one class, since each
// change makes one.

type Models = Readonly<Record<string, Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>>>

class TransactionClient {
  readonly #open: OpenTransaction

  constructor(open: OpenTransaction) {
    this.#open = open
  }

  $queryRaw(...statement: RawStatement) {
    return sendQuery(this.#open, statement)
  }

  $executeRaw(...statement: RawStatement) {
    return sendCommand(this.#open, statement)
  }

  async $queryRawUnsafe(text: string, ...values: unknown[]) {
    return (await this.#open.models()).$queryRawUnsafe(text, ...values)
  }

  async $executeRawUnsafe(text: string, ...values: unknown[]) {
    return (await this.#open.models()).$executeRawUnsafe(text, ...values)
  }

  /** The methods of a model. */
  static of(client: TransactionClient, model: string): object {
    const send =
      (method: string) =>
      async (...given: unknown[]) => {
        const models = (await client.#open.models()) as unknown as Models
        return models[model]?.[method]?.(...given)
      }
    return new Proxy({}, { get: (_none, method) => (typeof method === 'string' ? send(method) : undefined) })
  }
}

for (const name of Object.values(Prisma.ModelName)) {
  const model = name.charAt(0).toLowerCase() + name.slice(1)
  Object.defineProperty(TransactionClient.prototype, model, {
    get(this: TransactionClient) {
      return TransactionClient.of(this, model)
    },
  })
}

const clientOf = (open: OpenTransaction): Prisma.TransactionClient =>
  new TransactionClient(open) as unknown as Prisma.TransactionClient
