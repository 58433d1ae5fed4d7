import { expect, test } from 'vitest'
import { withTextTimes } from '#prisma/direct-statements.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { onEachEngine, sharedDatabase } from '../support/database-engines.ts'

const times = [
  '2026-03-29T01:30:00Z',
  '2026-03-29T01:30:00.1Z',
  '2026-03-29T01:30:00.12Z',
  '2026-03-29T01:30:00.120Z',
  '2026-03-29T01:30:00.123Z',
  '2026-03-29T01:30:00.123999Z',
  '2026-03-29T01:30:00.000001Z',
  '2026-03-29T01:30:00+05:30',
  '0044-03-15T12:00:00Z',
]

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  test('times as text are those that Dates write', async () => {
    const { db } = database
    const statement = Prisma.sql`SELECT at::timestamptz AS at, ARRAY[at, NULL]::timestamptz[] AS list
      FROM unnest(${times}::text[]) WITH ORDINALITY AS given (at, position) ORDER BY position`

    const dates = await db.$queryRaw<{ at: Date }[]>(statement)
    const texts = await db.$queryRaw(withTextTimes(statement))

    const written = dates.map(({ at }) => at.toISOString())
    expect(texts).toEqual(written.map((at) => ({ at, list: [at, null] })))
  })

  test('days are text too, and all else is as ever', async () => {
    const statement = Prisma.sql`SELECT '2026-03-29'::date AS day, NULL::timestamptz AS never, 7::int AS number,
      '{"at":"2026-03-29"}'::jsonb AS json, ARRAY['a', NULL]::text[] AS texts`

    expect(await database.db.$queryRaw(withTextTimes(statement))).toEqual([
      { day: '2026-03-29', never: null, number: 7, json: { at: '2026-03-29' }, texts: ['a', null] },
    ])
  })
})
