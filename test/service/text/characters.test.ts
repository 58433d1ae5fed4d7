import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLine, foldCase, identityNameError } from '../../../service/text/characters.ts'
import { freshDatabase } from '../../support/database.ts'
import { onEachEngine } from '../../support/database-engines.ts'

test('a line has something in it that can be seen, and nothing that breaks it or turns it around', () => {
  const lines = ['Website', ' kept ', 'a\u00a0b', '日本語', 'שלום\u200f', '🚀', '.', '\u2068Ada\u2069', 'o\u0301']
  const blank = ['', ' ', '\u00a0\u3000', '\u200b\u200d\ufeff']
  const broken = ['a\nb', 'a\tb', 'a\u2028b', 'a\u0085b', 'a\u202eb', '\u001b[31m']

  expect(lines.filter((text) => !isLine(text))).toEqual([])
  expect([...blank, ...broken].filter(isLine)).toEqual([])
})

test.each([
  ['STRASSEN', 'Straßen'],
  ['STRAẞE', 'strasse'],
  ['ΟΔΟΣ', 'οδος'],
  ['IĞDIR', 'iğdır'],
  ['İzmir', 'izmir'],
])('%s is folded as %s is', (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other))
})

/** Letters that all versions of Unicode know, those among them whose cases are no simple pairs. */
const letters = fc.constantFrom(
  ..."a Z ä Ä ß ẞ ı I i İ ſ K Å ﬁ ŉ ǰ ΐ ς σ Σ ά Ա և Ё ё Ⅳ ⓐ ꭰ 漢 - _ % \\ '".split(' '),
  ...['\u0300', '\u0307', ' '],
)

onEachEngine((kind) => {
  test('the database folds every text as the code does, and what is folded stays as it is', async () => {
    await using database = await freshDatabase(kind)
    const texts = fc.sample(fc.string({ unit: letters, maxLength: 12 }), { numRuns: 500, seed: 1 })

    const rows = await database.db.$queryRaw<{ once: string; twice: string }[]>`
      SELECT folded(given) AS once, folded(folded(given)) AS twice
      FROM unnest(${texts}::text[]) WITH ORDINALITY AS each (given, place) ORDER BY place`

    expect(rows.map(({ once }) => once)).toEqual(texts.map(foldCase))
    expect(rows.map(({ twice }) => twice)).toEqual(texts.map(foldCase))
  })
})

const errorOf = (name: string): string | null => identityNameError(name.normalize('NFC'))

test('names in the scripts of the world, emoji and signs are taken', () => {
  const names = `Ada Lovelace | José Ñandú | O'Brien-Smith | Ng\u0169g\u0129 wa Thiong\u02bco | Łukasz | İpek | Ðức |
    Иван Иванов | Σωκράτης | Հայկ | דוד בן־גוריון | محمد | ނަޝީދު | محمدرضا می\u200cخواهم | علی\u200cاکبر |
    كۆمپانیای ئه\u200cم | श्री\u200d | क्\u200dष | ക്\u200c | ശ്രീ ന്\u200d | සිංහල ශ්\u200dරී | 山田太郎 |
    山田\u3000太郎 | 辻\u{e0100} | 葛\ufe00城 | 김민수 | ᠮᠣᠩᠭᠣᠯ\u180b | ไทย | မြန်မာ | Team 👩\u200d💻 | ❤\ufe0f Ops |
    ©\ufe0f | 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} | 👍🏽 | 🇩🇪 | 1\ufe0f⃣ | μTorrent | Δelta | β-Test |
    Иванов & Smith | SMS-рассылка | Отдел IT | PRостор | Яndex | 100 Ω | a\u00a0b | CI / deploy (prod) №1 |
    <img src=x> | 日本 Inc. | Grup 漢字ABC`.split(/ \|\s+/)

  expect(names).toHaveLength(50)
  expect(names.filter((name) => errorOf(name) !== null)).toEqual([])
})

test.each([
  ['A non-joiner behind a Persian word', 'علی\u200c', 'U+200C'],
  ['two non-joiners in a Persian word', 'می\u200c\u200cخواهم', 'U+200C'],
  ['a joiner at the end of an emoji', '👩\u200d', 'U+200D'],
  ['a selector behind a digit', 'Admin 1\ufe0f', 'U+FE0F'],
  ['a Cyrillic a in a Latin word', '\u0430dmin', 'U+0430'],
  ['a Cyrillic o in the second word', 'Acme C\u043erp', 'U+043E'],
  ['a Latin e in a Cyrillic word', 'Ив\u0061нов', 'U+0418'],
  ['a Greek omicron in a Latin word', 'R\u03bfot', 'U+03BF'],
])('%s is refused, and named', (_what, name, code) => {
  expect(errorOf(name)).toContain(code)
})

test('what is drawn as nothing, or turns the text, is refused wherever it stands in a Latin name, and named', () => {
  const codes = `200b 200c 200d 2060 2062 2064 feff 00ad 034f 115f 180e 3164 2800 fe0f e0020 e0041 e0fff
    061c 200f 202b 202d 202e 2067 2068`.split(/\s+/)
  const letter = fc.constantFrom('a', 'b', 'z', ' ', 'Ö', '9', '-')
  fc.assert(
    fc.property(fc.string({ unit: letter }), fc.constantFrom(...codes), fc.string(), (before, code, after) => {
      const name = before + String.fromCodePoint(Number.parseInt(code, 16)) + after

      expect(identityNameError(name)).toContain(`U+${code.toUpperCase()}`)
    }),
  )
})
