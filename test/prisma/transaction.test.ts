import { expect, test } from 'vitest'
import { Cancelled } from '#prisma/caller-signal.ts'
import { Prisma, type PrismaClient } from '#prisma/generated/client.ts'
import { transact } from '#prisma/transaction.ts'
import { freshDatabase } from '../support/database.ts'
import { onEachEngine } from '../support/database-engines.ts'
import { heldAtEnd } from './held-at-end.ts'
import { workspaceRow } from './rows.ts'

const everyType = Prisma.sql`SELECT 1::int AS int, 9007199254740993::bigint AS big, 1.5::float8 AS double, 1.25::numeric AS exact,
  true AS yes, 'text'::text AS text, gen_random_uuid() IS NOT NULL AS made, '2026-03-29'::date AS day,
  '2026-03-29T01:30:00.123Z'::timestamptz AS at, '{"a":[1,null]}'::jsonb AS json, '\\x00ff'::bytea AS bytes, NULL::text AS nothing,
  ARRAY['a', NULL, 'b,c']::text[] AS texts, ARRAY[1, 2]::int[] AS ints, ARRAY[1, 2]::bigint[] AS bigs,
  ARRAY['01999999-0000-7000-8000-000000000000']::uuid[] AS ids, ARRAY['{"b":1}']::jsonb[] AS jsons,
  ARRAY['2026-03-29T01:30:00Z']::timestamptz[] AS times`

/** Only statements by template go past it. */
const throughPrisma = (db: PrismaClient, { text, values }: Prisma.Sql): Promise<unknown> =>
  db.$queryRawUnsafe(text, ...values)

onEachEngine((kind) => {
  test('what is read directly, in a transaction and outside of one, is what Prisma reads', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const byPrisma = await throughPrisma(db, everyType)

    expect(await transact(db, (tx) => tx.$queryRaw(everyType))).toEqual(byPrisma)
    expect(await db.$queryRaw(everyType)).toEqual(byPrisma)
  })

  test('values go in as they do through Prisma', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const values = [
      new Date('2026-03-29T01:30:00.123Z'),
      Buffer.from([0, 255]),
      ['a', 'b,"c"'],
      null,
      true,
      7,
      'x',
    ] as const
    const [at, bytes, texts, nothing, yes, number, text] = values
    const echoed = Prisma.sql`SELECT ${at}::timestamptz AS at, ${bytes}::bytea AS bytes, ${texts}::text[] AS texts,
      ${nothing}::text AS nothing, ${yes}::boolean AS yes, ${number}::int AS number, ${text}::text AS text`

    const byPrisma = await throughPrisma(db, echoed)

    expect(await transact(db, (tx) => tx.$queryRaw(echoed))).toEqual(byPrisma)
    expect(await db.$queryRaw(echoed)).toEqual(byPrisma)
  })

  test('Prisma’s own queries and direct statements see one transaction, which is undone as one', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database

    const failing = transact(db, async (tx) => {
      const { id } = await tx.workspace.create({ data: workspaceRow() })
      expect(await tx.$executeRaw`UPDATE workspace SET name = 'Other' WHERE id = ${id}::uuid`).toBe(1)
      expect(await tx.workspace.findFirst()).toMatchObject({ name: 'Other' })
      throw new Error('changed my mind')
    })

    await expect(failing).rejects.toThrow('changed my mind')
    expect(await db.workspace.count()).toBe(0)
  })

  test('what the database refuses has the form of Prisma’s errors', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const refused = Prisma.sql`INSERT INTO event_sequence (workspace_id, last) VALUES (gen_random_uuid(), 0)`
    const codeOf = (error: unknown) =>
      error instanceof Prisma.PrismaClientKnownRequestError && [
        error.code,
        (error.meta as { driverAdapterError: { cause: { originalCode: string } } }).driverAdapterError.cause
          .originalCode,
      ]

    expect(await throughPrisma(db, refused).catch(codeOf)).toEqual(['P2010', '23503'])
    expect(await transact(db, (tx) => tx.$executeRaw(refused)).catch(codeOf)).toEqual(['P2010', '23503'])
    expect(await db.$executeRaw(refused).catch(codeOf)).toEqual(['P2010', '23503'])
  })

  test('transactions next to each other, and Prisma’s own, keep to themselves', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
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
      expect(await db.workspace.count({ where: { name: 'Late' } })).toBe(0)
      expect(await db.workspace.count()).toBe(ending === 'COMMIT' ? 1 : 0)
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
    await using database = await freshDatabase(kind)
    const { db } = database
    const gone = new AbortController()
    const refusals: unknown[] = []

    const done = transact(
      db,
      async (tx) => {
        await tx.workspace.create({ data: workspaceRow() })
        gone.abort()
        await send(tx).catch((error: unknown) => refusals.push(error))
      },
      gone.signal,
    )

    await expect(done).rejects.toThrow(Cancelled)
    expect(refusals).toEqual([expect.any(Cancelled)])
    expect(await db.workspace.count()).toBe(0)
  })

  test('a transaction that Prisma has ended takes no further statement', async () => {
    await using database = await freshDatabase(kind)
    const left = await transact(database.db, async (tx) => ({ tx }))

    await expect(left.tx.$queryRaw`SELECT 1`).rejects.toMatchObject({ code: 'P2028' })
  })
})
