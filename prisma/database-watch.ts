// Notices that the database is away, or that its disk is full. A frozen database keeps every connection open and sends
// nothing: without a check on a connection of its own only the longest time-out would notice. A full disk fails some
// statements and not others, so it counts as full until no statement has failed by it for a while.

import { setImmediate as nextEventLoopTurn } from 'node:timers/promises'
import { Client, DatabaseError, type ClientConfig } from 'pg'
import { loop } from '#runtime/loop.ts'
import type { SqlDriverAdapterFactory, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils'
import { isDiskFull } from './database-errors.ts'

export type Watch = { isAway(): boolean; close(): Promise<void> }

export type Watched = {
  readonly config: ClientConfig
  /** A connection that is open already. */
  readonly first?: Client
  /** Bytes received on other connections: while the number grows, the database is slow, not away. */
  readonly bytesReceived: () => number
  readonly onAway: () => void
  readonly onBack: () => void
  readonly everyMs?: number
  readonly silenceMs?: number
}

type Outcome = 'answered' | 'refused' | 'failed'

const everyMsDefault = 500
const silenceMsDefault = 1_000
/** A timer that fires later than this means that this process was busy, not that no answer came. */
const lateMs = 250
const tooManyConnections = '53300'

export function openWatch(watched: Watched): Watch {
  const { everyMs = everyMsDefault, silenceMs = silenceMsDefault } = watched
  let client: Client | null = watched.first ?? null
  client?.once('end', () => checking.wake())
  let away = false

  /** A single lost connection proves nothing: the database is away only when a new connection fails as well. */
  async function answers(): Promise<boolean> {
    if (client !== null) {
      const outcome = await outcomeOf(client.query('SELECT 1'))
      if (outcome !== 'failed') return outcome === 'answered'
      drop()
    }
    client = new Client(watched.config)
    client.on('error', () => {})
    client.once('end', () => checking.wake())
    const outcome = await outcomeOf(client.connect())
    if (outcome !== 'answered') drop()
    return outcome === 'answered' || outcome === 'refused'
  }

  async function outcomeOf(work: Promise<unknown>): Promise<Outcome | 'silent'> {
    const settled = work.then(
      () => 'answered' as const,
      (error: unknown) => (isRefusal(error) ? ('refused' as const) : ('failed' as const)),
    )
    for (;;) {
      const [before, startedAt] = [watched.bytesReceived(), performance.now()]
      const outcome = await settledWithin(silenceMs, settled)
      if (outcome !== null) return outcome
      const wasBusy = performance.now() - startedAt > silenceMs + lateMs
      if (!wasBusy && watched.bytesReceived() === before) return 'silent'
    }
  }

  function drop(): void {
    client?.removeAllListeners('end')
    client?.connection.stream.destroy()
    client = null
  }

  const checking = loop(
    async () => {
      const isAway = !(await answers())
      if (isAway) drop()
      if (isAway !== away) {
        away = isAway
        ;(isAway ? watched.onAway : watched.onBack)()
      }
      return everyMs
    },
    () => {},
  )
  const close = async () => {
    drop()
    await checking.close()
    drop()
  }
  return { isAway: () => away, close }
}

/** The server has no free connection left, while the existing ones work. */
const isRefusal = (error: unknown): boolean => error instanceof DatabaseError && error.code === tooManyConnections

/**
 * Returns null when `settled` is pending after `ms`. I/O that came at the same time as the timer is looked at first.
 */
async function settledWithin(ms: number, settled: Promise<Outcome>): Promise<Outcome | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(late.resolve, ms, null)
  const outcome = await Promise.race([settled, late.promise])
  clearTimeout(timer)
  return outcome ?? Promise.race([settled, nextEventLoopTurn(null)])
}

const fullForMs = 60_000

type Storage = { readonly factory: SqlDriverAdapterFactory; readonly isFull: () => boolean }

/** Wraps an adapter so that each of its statements shows whether the disk is full. */
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
