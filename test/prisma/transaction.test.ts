import { expect, test } from 'vitest'
import { Cancelled } from '#prisma/caller-signal.ts'
import { Prisma, type PrismaClient } from '#prisma/generated/client.ts'
import { transact } from '#prisma/transaction.ts'
import { onEachEngine, sharedDatabase } from '../support/database-engines.ts'
import { heldAtEnd } from './held-at-end.ts'
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
      expect(error).toBeInstanceOf(Prisma.PrismaClientKnownRequestError)
      expect(error).toMatchObject({
        code: 'P2010',
        meta: { driverAdapterError: { cause: { originalCode: '23503' } } },
      })
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

  test.each(['COMMIT', 'ROLLBACK'])(
    'from its %s on a transaction takes no statement, also before its connection is given back',
    async (ending) => {
      await using database = await heldAtEnd(kind)
      const { db } = database
      let left: Prisma.TransactionClient = db
      const late = database.ending.then(() => left.$executeRaw`UPDATE workspace SET name = 'Late'`)
      late.catch(() => {}).finally(database.goOn)

      const done = transact(db, async (tx) => {
        left = tx
        await tx.workspace.create({ data: workspaceRow() })
        if (ending === 'ROLLBACK') throw new Error('changed my mind')
      }).catch(() => {})

      await expect(late).rejects.toMatchObject({ code: 'P2028' })
      await done
      const names = (await db.workspace.findMany()).map(({ name }) => name)
      expect(names).toEqual(ending === 'COMMIT' ? ['Acme'] : [])
    },
  )

  test('a commit that has begun when the caller goes is not cancelled', async () => {
    await using database = await heldAtEnd(kind)
    const { db, ending, goOn } = database
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

    const done = transact(
      db,
      async (tx) => {
        await tx.workspace.create({ data: row })
        gone.abort()
        await send(tx).catch((error: unknown) => refusals.push(error))
      },
      gone.signal,
    )

    await expect(done).rejects.toThrow(Cancelled)
    expect(refusals).toEqual([expect.any(Cancelled)])
    expect(await db.workspace.count({ where: { id: row.id } })).toBe(0)
  })

  test('a transaction that Prisma has ended takes no further statement', async () => {
    const left = await transact(shared.db, async (tx) => ({ tx }))

    await expect(left.tx.$queryRaw`SELECT 1`).rejects.toMatchObject({ code: 'P2028' })
  })
})
