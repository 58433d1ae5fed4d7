import { setImmediate as nextTurn } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { expect, onTestFinished, test } from 'vitest'
import { Cancelled } from '#prisma/caller-signal.ts'
import { Prisma, PrismaClient } from '#prisma/generated/client.ts'
import { beginWith, lendingTransactions, transact, withoutWaiting } from '#prisma/transaction.ts'
import { freshPglite, freshPostgres, type DatabaseKind } from '../support/database.ts'
import { onEachEngine, sharedDatabase } from '../support/database-engines.ts'
import { workspaceRow } from './rows.ts'

const everyType = Prisma.sql`SELECT 1::int AS int, 9007199254740993::bigint AS big, 1.5::float8 AS double, 1.25::numeric AS exact,
  true AS yes, 'text'::text AS text, gen_random_uuid() IS NOT NULL AS made, '2026-03-29'::date AS day,
  '2026-03-29T01:30:00.123Z'::timestamptz AS at, '{"a":[1,null]}'::jsonb AS json, '\\x00ff'::bytea AS bytes, NULL::text AS nothing,
  ARRAY['a', NULL, 'b,c']::text[] AS texts, ARRAY[1, 2]::int[] AS ints, ARRAY[1, 2]::bigint[] AS bigs,
  ARRAY['01999999-0000-7000-8000-000000000000']::uuid[] AS ids, ARRAY['{"b":1}']::jsonb[] AS jsons,
  ARRAY['2026-03-29T01:30:00Z']::timestamptz[] AS times`

const echoed = Prisma.sql`SELECT ${new Date('2026-03-29T01:30:00.123Z')}::timestamptz AS at, ${Buffer.from([0, 255])}::bytea AS bytes,
  ${['a', 'b,"c"']}::text[] AS texts, ${null}::text AS nothing, ${true}::boolean AS yes, ${7}::int AS number, ${'x'}::text AS text`

/** Only statements by template go past it. */
const throughPrisma = (db: PrismaClient, { text, values }: Prisma.Sql): Promise<unknown> =>
  db.$queryRawUnsafe(text, ...values)

onEachEngine((kind) => {
  const shared = sharedDatabase(kind)

  test.each([
    ['what comes out', everyType],
    ['what goes in', echoed],
  ])('%s is directly, in a transaction and outside of one, as it is through Prisma', async (_what, statement) => {
    const { db } = shared
    const byPrisma = await throughPrisma(db, statement)

    expect(await transact(db, (tx) => tx.$queryRaw(statement))).toEqual(byPrisma)
    expect(await db.$queryRaw(statement)).toEqual(byPrisma)
  })

  test('Prisma’s own queries and direct statements see one transaction, which is undone as one', async () => {
    const { db } = shared
    const row = workspaceRow()
    const where = { id: row.id ?? '' }

    const failing = transact(db, async (tx) => {
      await tx.workspace.create({ data: row })
      expect(await tx.$executeRaw`UPDATE workspace SET name = 'Other' WHERE id = ${row.id}::uuid`).toBe(1)
      expect(await tx.workspace.findFirst({ where })).toMatchObject({ name: 'Other' })
      throw new Error('changed my mind')
    })

    await expect(failing).rejects.toThrow('changed my mind')
    expect(await db.workspace.count({ where })).toBe(0)
  })

  test('what the database refuses has the form of Prisma’s errors', async () => {
    const { db } = shared
    const refused = Prisma.sql`INSERT INTO event_sequence (workspace_id, last) VALUES (gen_random_uuid(), 0)`

    for (const way of [
      () => throughPrisma(db, refused),
      () => transact(db, (tx) => tx.$executeRaw(refused)),
      () => db.$executeRaw(refused),
    ]) {
      const error: unknown = await way().catch((thrown: unknown) => thrown)
      const meta = { driverAdapterError: { cause: { originalCode: '23503' } } }
      expect(error).toBeInstanceOf(Prisma.PrismaClientKnownRequestError)
      expect(error).toMatchObject({ code: 'P2010', meta })
    }
  })

  test('transactions next to each other, and Prisma’s own, keep to themselves', async () => {
    const { db } = shared
    const idOf = (tx: Prisma.TransactionClient) => tx.$queryRaw<{ id: string }[]>`SELECT txid_current()::text AS id`

    const seen = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const work = async (tx: Prisma.TransactionClient) => [(await idOf(tx))[0]?.id, (await idOf(tx))[0]?.id]
        return n % 2 === 0 ? transact(db, work) : db.$transaction(work)
      }),
    )

    expect(seen.every(([first, second]) => first === second)).toBe(true)
    expect(new Set(seen.flat()).size).toBe(8)
  })

  test('a statement that nobody waits for is committed with the others', async () => {
    const { db } = shared
    const row = workspaceRow()
    const where = { id: row.id ?? '' }

    const result = await transact(db, async (tx) => {
      await tx.workspace.create({ data: row })
      withoutWaiting(tx, tx.$executeRaw`UPDATE workspace SET name = 'Other' WHERE id = ${row.id}::uuid`)
      return 'done'
    })

    expect(result).toBe('done')
    expect(await db.workspace.findFirst({ where })).toMatchObject({ name: 'Other' })
  })

  test.each([
    ['the work is done', async () => 'done'],
    ['the work fails by what it asks next', (tx: Prisma.TransactionClient) => tx.$queryRaw`SELECT 1`],
    ['the work fails by itself', () => Promise.reject(new Error('changed my mind'))],
  ])(
    'where a statement fails that nobody waits for and %s, its error is told, and nothing is committed',
    async (_when, goOn) => {
      const { db } = shared
      const row = workspaceRow()

      const failing = transact(db, async (tx) => {
        await tx.workspace.create({ data: row })
        withoutWaiting(tx, tx.$executeRaw`SELECT 1 / 0`)
        return await goOn(tx)
      })

      const meta = { driverAdapterError: { cause: { originalCode: '22012' } } }
      await expect(failing).rejects.toMatchObject({ code: 'P2010', meta })
      expect(await db.workspace.count({ where: { id: row.id } })).toBe(0)
      expect(await transact(db, (tx) => tx.$queryRaw`SELECT 1 AS well`)).toEqual([{ well: 1 }])
    },
  )

  test('a statement outside of a transaction is not left unawaited: its error would be lost', async () => {
    const { db } = shared

    expect(() => withoutWaiting(db, db.$executeRaw`SELECT 1 / 0`)).toThrow('no transaction')
  })

  test.each(['COMMIT', 'ROLLBACK'])('from its %s on a transaction takes no statement', async (ending) => {
    const { db, ending: atEnd, goOn } = await heldAtEnd(kind)
    let left: Prisma.TransactionClient = db
    const late = atEnd.then(() => left.$executeRaw`UPDATE workspace SET name = 'Late'`)
    late.catch(() => {}).finally(goOn)

    const done = transact(db, async (tx) => {
      left = tx
      await tx.workspace.create({ data: workspaceRow() })
      if (ending === 'ROLLBACK') throw new Error('changed my mind')
    }).catch(() => {})

    await expect(late).rejects.toMatchObject({ code: 'P2028' })
    await done
    const names = (await db.workspace.findMany()).map(({ name }) => name)
    expect(names).toEqual(ending === 'COMMIT' ? ['Acme'] : [])
  })

  test('a transaction that takes too long is rolled back, and refuses what its work asks next', async () => {
    const db = await openWith(kind, { maxMs: 100 })
    const refused = Promise.withResolvers<unknown>()

    const done = transact(db, async (tx) => {
      await tx.workspace.create({ data: workspaceRow() })
      for (;;) {
        // PGlite answers without a turn of the event loop, in which the time would come.
        await nextTurn()
        const error: unknown = await tx.workspace.count().then(
          () => null,
          (thrown: unknown) => thrown,
        )
        if (error === null) continue
        refused.resolve(error)
        return 'done'
      }
    })

    await expect(done).rejects.toMatchObject({ code: 'P2028' })
    expect(await refused.promise).toMatchObject({ code: 'P2028' })
    expect(await db.workspace.count()).toBe(0)
  })

  test('a transaction that gets no connection in time is refused, and keeps none that comes later', async () => {
    const { db, bound } = await openedWith(kind)
    const [holds, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = transact(db, async (tx) => {
      await tx.$queryRaw`SELECT 1`
      holds.resolve()
      await goOn.promise
    })
    await holds.promise
    bound({ maxWaitMs: 100 })

    const refused = transact(db, async () => 'never')

    await expect(refused).rejects.toMatchObject({ code: 'P2028' })
    goOn.resolve()
    await holding
    bound({})
    expect(await transact(db, (tx) => tx.$queryRaw`SELECT 1 AS well`)).toEqual([{ well: 1 }])
  })

  test('a commit that has begun when the caller goes is not cancelled', async () => {
    const { db, ending, goOn } = await heldAtEnd(kind)
    const gone = new AbortController()
    const done = transact(db, (tx) => tx.workspace.create({ data: workspaceRow() }), gone.signal)
    await ending

    gone.abort()
    goOn()

    const { id } = await done
    expect(await db.workspace.findFirst()).toMatchObject({ id })
  })

  test.each([
    ['direct', (tx: Prisma.TransactionClient) => tx.$executeRaw`UPDATE workspace SET name = 'Late'`],
    ['Prisma’s own', (tx: Prisma.TransactionClient) => tx.workspace.findFirst()],
  ])('once the caller has gone, a %s statement is refused, whatever is made of the refusal', async (_whose, send) => {
    const { db } = shared
    const row = workspaceRow()
    const gone = new AbortController()
    const refusals: unknown[] = []

    const work = async (tx: Prisma.TransactionClient) => {
      await tx.workspace.create({ data: row })
      gone.abort()
      await send(tx).catch((error: unknown) => refusals.push(error))
    }
    const done = transact(db, work, gone.signal)

    await expect(done).rejects.toThrow(Cancelled)
    expect(refusals).toEqual([expect.any(Cancelled)])
    expect(await db.workspace.count({ where: { id: row.id } })).toBe(0)
  })
})

type Bounds = { readonly maxMs?: number; readonly maxWaitMs?: number }
const openWith = async (kind: DatabaseKind, bounds: Bounds) => (await openedWith(kind, bounds)).db

/** A database of one connection. `bound` gives the transactions that begin from then on other bounds. */
async function openedWith(kind: DatabaseKind, bounds: Bounds = {}) {
  const { factory, drop } = await driverOf(kind)
  const db = new PrismaClient({ adapter: lendingTransactions(factory, false) })
  const driver = await factory.connect()
  const bound = (by: Bounds) =>
    beginWith(db, { own: db, driver, isPipelined: false, maxWaitMs: 5_000, maxMs: 15_000, ...by })
  bound(bounds)
  onTestFinished(async () => {
    await driver.dispose()
    await db.$disconnect().then(drop)
  })
  return { db, bound }
}

/** A database on which a transaction that ends is held at its last statement: what is sent then must not pass. */
async function heldAtEnd(kind: DatabaseKind) {
  const { factory, drop } = await driverOf(kind)
  const [ending, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const hold = async <R>(act: () => Promise<R>): Promise<R> => {
    ending.resolve()
    await gone.promise
    return act()
  }
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const adapter = await connect()
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (level) => heldBy(hold, await start(level))
    return adapter
  }
  const db = new PrismaClient({ adapter: lendingTransactions(factory, false) })
  const driver = await factory.connect()
  beginWith(db, { own: db, driver, isPipelined: false, maxWaitMs: 5_000, maxMs: 15_000 })
  onTestFinished(async () => {
    await driver.dispose()
    await db.$disconnect().then(drop)
  })
  /** `ending`: the first transaction has come to its end. */
  return { db, ending: ending.promise, goOn: gone.resolve }
}

/** Some drivers end a transaction by a statement, others by a call. */
function heldBy(hold: <R>(act: () => Promise<R>) => Promise<R>, transaction: Transaction): Transaction {
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
    return { factory: new PrismaPg({ connectionString: url, max: 1 }), drop }
  }
  const pglite = await freshPglite()
  return { factory: new PrismaPGlite(pglite), drop: () => pglite.close() }
}
