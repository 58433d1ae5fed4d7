// A database on which a transaction that ends is held at its last statement: what is sent then must not pass.
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { PrismaClient } from '#prisma/generated/client.ts'
import { withTransactionTracking } from '#prisma/transaction.ts'
import { freshPglite, freshPostgres, type DatabaseKind } from '../support/database.ts'

export async function heldAtEnd(kind: DatabaseKind) {
  const { factory, drop } = await driverOf(kind)
  const { promise: ending, resolve: reached } = Promise.withResolvers<void>()
  const { promise: gone, resolve: goOn } = Promise.withResolvers<void>()
  const hold = async <R>(act: () => Promise<R>): Promise<R> => {
    reached()
    await gone
    return act()
  }
  const db = new PrismaClient({ adapter: withTransactionTracking(holding(factory, hold)) })
  /** `ending`: the first transaction has come to its end. */
  return { db, ending, goOn, [Symbol.asyncDispose]: () => db.$disconnect().then(drop) }
}

type Hold = <R>(act: () => Promise<R>) => Promise<R>

const holding = (factory: SqlDriverAdapterFactory, hold: Hold): SqlDriverAdapterFactory => ({
  provider: factory.provider,
  adapterName: factory.adapterName,
  connect: async () => {
    const adapter = await factory.connect()
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (level) => heldBy(hold, await start(level))
    return adapter
  },
})

/** Some drivers end a transaction by a statement, others by a call. */
function heldBy(hold: Hold, transaction: Transaction): Transaction {
  const execute = transaction.executeRaw.bind(transaction)
  transaction.executeRaw = (query) =>
    /^(?:COMMIT|ROLLBACK)$/.test(query.sql) ? hold(() => execute(query)) : execute(query)
  for (const end of ['commit', 'rollback'] as const) {
    const act = transaction[end].bind(transaction)
    transaction[end] = () => hold(act)
  }
  return transaction
}

async function driverOf(kind: DatabaseKind): Promise<{ factory: SqlDriverAdapterFactory; drop(): Promise<void> }> {
  if (kind === 'postgres') {
    const { url, drop } = await freshPostgres()
    return { factory: new PrismaPg({ connectionString: url }), drop }
  }
  const pglite = await freshPglite()
  return { factory: new PrismaPGlite(pglite), drop: () => pglite.close() }
}
