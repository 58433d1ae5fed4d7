import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldCase } from '../../../service/text/characters.ts'
import { freshDatabase, type FreshDatabase } from '../../support/database.ts'
import { onEachEngine } from '../../support/database-engines.ts'

/** Letters that all versions of Unicode know, those among them whose cases are no simple pairs. */
const letters = fc.constantFrom(
  ..."a Z ä Ä ß ẞ ı I i İ ſ K Å ﬁ ŉ ǰ ΐ ς σ Σ ά Ա և Ё ё Ⅳ ⓐ ꭰ 漢 - _ % \\ '".split(' '),
  ...['\u0300', '\u0307', ' '],
)

test.each([
  ['STRASSEN', 'Straßen'],
  ['STRAẞE', 'strasse'],
  ['ΟΔΟΣ', 'οδος'],
  ['IĞDIR', 'iğdır'],
  ['İzmir', 'izmir'],
])('%s is folded as %s is', (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other))
})

onEachEngine((kind) => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase(kind)
  })
  afterAll(() => database?.[Symbol.asyncDispose]())

  test('the database folds every text as the code does, and what is folded stays as it is', async () => {
    const texts = fc.sample(fc.string({ unit: letters, maxLength: 12 }), { numRuns: 500, seed: 1 })

    const rows = await database.db.$queryRaw<{ once: string; twice: string }[]>`
      SELECT folded(given) AS once, folded(folded(given)) AS twice
      FROM unnest(${texts}::text[]) WITH ORDINALITY AS each (given, place) ORDER BY place`

    expect(rows.map(({ once }) => once)).toEqual(texts.map(foldCase))
    expect(rows.map(({ twice }) => twice)).toEqual(texts.map(foldCase))
  })
})
