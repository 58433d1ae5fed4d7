// Notices that the database's disk is full. A statement that finds no room fails, while others, that read or find room in
// what is there already, succeed: so nothing else tells it, and a full disk counts as such until no write has failed for
// a while.
import type { SqlDriverAdapterFactory, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils'
import { isDiskFull } from './connection-loss.ts'

const fullForMs = 60_000

type Storage = { readonly factory: SqlDriverAdapterFactory; readonly isFull: () => boolean }

/** Wraps an adapter so that each of its statements tells. */
export function watchStorage(factory: SqlDriverAdapterFactory, now = () => performance.now()): Storage {
  let fullAt = Number.NEGATIVE_INFINITY
  async function noted<R>(work: Promise<R>): Promise<R> {
    try {
      return await work
    } catch (error) {
      if (isDiskFull(error)) fullAt = now()
      throw error
    }
  }
  const noting = <Q extends SqlQueryable>(queryable: Q): Q => {
    const queryRaw = queryable.queryRaw.bind(queryable)
    const executeRaw = queryable.executeRaw.bind(queryable)
    queryable.queryRaw = (query: SqlQuery) => noted(queryRaw(query))
    queryable.executeRaw = (query: SqlQuery) => noted(executeRaw(query))
    return queryable
  }
  const watched: SqlDriverAdapterFactory = {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = noting(await factory.connect())
      const start = adapter.startTransaction.bind(adapter)
      adapter.startTransaction = async (isolationLevel) => {
        const transaction = noting(await start(isolationLevel))
        const commit = transaction.commit.bind(transaction)
        transaction.commit = () => noted(commit())
        return transaction
      }
      return adapter
    },
  }
  return { factory: watched, isFull: () => now() - fullAt < fullForMs }
}
