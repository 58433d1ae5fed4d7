import { expect, test, afterAll, beforeAll } from 'vitest'
import { isLine, foldCase, identityNameError } from '../../../service/text/characters.ts'
import fc from 'fast-check'
import { freshDatabase, type FreshDatabase } from '../../support/database.ts'
import { onEachEngine } from '../../support/database-engines.ts'

test.each(['Website', ' kept ', 'a\u00a0b', '日本語', 'שלום\u200f', '🚀', '.', '\u2068Ada\u2069', 'o\u0301'])(
  '%j is a line',
  (text) => {
    expect(isLine(text)).toBe(true)
  },
)

test.each([
  '',
  ' ',
  '\u00a0\u3000',
  '\u200b\u200d\ufeff',
  'a\nb',
  'a\tb',
  'a\u2028b',
  'a\u0085b',
  'a\u202eb',
  '\u001b[31m',
])('%j is none', (text) => {
  expect(isLine(text)).toBe(false)
})

/** Letters that all versions of Unicode know, those among them whose cases are no simple pairs. */
const letters = fc.constantFrom(
  ..."a Z ä Ä ß ẞ ı I i İ ſ K Å ﬁ ŉ ǰ ΐ ς σ Σ ά Ա և Ё ё Ⅳ ⓐ ꭰ 漢 - _ % \\ '".split(' '),
  '\u0300',
  '\u0307',
  ' ',
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

test.each([
  'Ada Lovelace',
  'José Ñandú',
  "O'Brien-Smith",
  'Ng\u0169g\u0129 wa Thiong\u02bco',
  'Łukasz',
  'İpek',
  'Ðức',
  'Иван Иванов',
  'Σωκράτης',
  'Հայկ',
  'דוד בן־גוריון',
  'محمد',
  'ނަޝީދު',
  'محمدرضا می\u200cخواهم',
  'علی\u200cاکبر',
  'كۆمپانیای ئه\u200cم',
  'श्री\u200d',
  'क्\u200dष',
  'ക്\u200c',
  'ശ്രീ ന്\u200d',
  'සිංහල ශ්\u200dරී',
  '山田太郎',
  '山田\u3000太郎',
  '辻\u{e0100}',
  '葛\ufe00城',
  '김민수',
  'ᠮᠣᠩᠭᠣᠯ\u180b',
  'ไทย',
  'မြန်မာ',
  'Team 👩\u200d💻',
  '❤\ufe0f Ops',
  '©\ufe0f',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  '👍🏽',
  '🇩🇪',
  '1\ufe0f⃣',
  'μTorrent',
  'Δelta',
  'β-Test',
  'Иванов & Smith',
  'SMS-рассылка',
  'Отдел IT',
  'PRостор',
  'Яndex',
  '100 Ω',
  'a\u00a0b',
  'CI / deploy (prod) №1',
  '<img src=x>',
  '日本 Inc.',
  'Grup 漢字ABC',
])('%s is taken', (name) => {
  expect(identityNameError(name.normalize('NFC'))).toBeNull()
})

test.each([
  ['A zero-width space', 'Ad\u200bmin', 'U+200B'],
  ['a joiner between Latin letters', 'Ad\u200dmin', 'U+200D'],
  ['a non-joiner between Latin letters', 'Ad\u200cmin', 'U+200C'],
  ['a non-joiner behind a Persian word', 'علی\u200c', 'U+200C'],
  ['two non-joiners in a Persian word', 'می\u200c\u200cخواهم', 'U+200C'],
  ['a joiner at the end of an emoji', '👩\u200d', 'U+200D'],
  ['a byte order mark', '\ufeffAdmin', 'U+FEFF'],
  ['a word joiner', 'Ad\u2060min', 'U+2060'],
  ['a soft hyphen', 'Ad\u00admin', 'U+00AD'],
  ['an invisible times', 'a\u2062b', 'U+2062'],
  ['a grapheme joiner', 'Ad\u034fmin', 'U+034F'],
  ['a filler of Hangul', 'Ad\u3164min', 'U+3164'],
  ['an empty Braille pattern', 'Ad\u2800min', 'U+2800'],
  ['a selector behind a Latin letter', 'Ad\ufe0fmin', 'U+FE0F'],
  ['a selector behind a digit', 'Admin 1\ufe0f', 'U+FE0F'],
  ['a tag', 'Admin\u{e0041}', 'U+E0041'],
  ['an unassigned character that is drawn as nothing', 'Admin\u{e0fff}', 'U+E0FFF'],
  ['a mark of direction', 'Admin\u200f', 'U+200F'],
  ['an isolate', '\u2067Admin\u2069', 'U+2067'],
  ['an embedding', '\u202bAdmin', 'U+202B'],
  ['an override', 'A\u202enimd', 'U+202E'],
  ['a Cyrillic a in a Latin word', '\u0430dmin', 'U+0430'],
  ['a Cyrillic o in the second word', 'Acme C\u043erp', 'U+043E'],
  ['a Latin e in a Cyrillic word', 'Ив\u0061нов', 'U+0418'],
  ['a Greek omicron in a Latin word', 'R\u03bfot', 'U+03BF'],
])('%s is refused, and named', (_what, name, code) => {
  expect(identityNameError(name.normalize('NFC'))).toContain(code)
})

test('what is drawn as nothing is refused wherever it stands in a Latin name', () => {
  const nothing = fc.constantFrom(
    '\u200b',
    '\u200c',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u180e',
    '\u2064',
    '\u061c',
    '\u202d',
    '\u2068',
    '\u115f',
    '\u{e0020}',
  )
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', 'z', ' ', 'Ö', '9', '-') }),
      nothing,
      fc.string(),
      (before, none, after) => {
        expect(identityNameError(before + none + after)).not.toBeNull()
      },
    ),
  )
})
