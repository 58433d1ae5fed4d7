// What is looked for and what is looked in are taken apart alike: by the code and by the database, in every script.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordQuery } from '../../../service/collection/text-matching.ts'
import { chunksOf, foldText, isSearchable, wordsOfChunk } from '../../../service/text/search-words.ts'
import { onEachEngine, sharedDatabase } from '../../support/database-engines.ts'

test.each([
  ['Überprüfung Zoë Łódź ÐĐØ', 'uberprufung zoe lodz ddo'],
  ['STRASSE Straße STRAẞE', 'strasse strasse strasse'],
  ['IĞDIR İzmir ığdır', 'igdir izmir igdir'],
  ['ΟΔΟΣ οδός Ἀθῆναι', 'οδοσ οδοσ αθηναι'],
  ['Ёлка ЙОД', 'елка иод'],
  ['Đặng Nguyễn', 'dang nguyen'],
  ['قُرْآن کتاب ١٢٣', 'قران كتاب 123'],
  ['שָׁלוֹם', 'שלום'],
  ['हिन्दी น้ำ', 'हिन्दी น้ํา'],
  ['ｆｕｌｌ ﬁne ｶﾞｽ ㍿ Ⅳ', 'full fine ガス 株式会社 iv'],
  ['co\u00adop\u200berate', 'cooperate'],
  ['Æsir cœur Þór', 'aesir coeur thor'],
])('%s is folded to %s', (text, folded) => {
  expect(foldText(text)).toBe(folded)
})

test('two characters are enough to search for, or one of a script without blanks', () => {
  expect(['税', 'あ', 'ア', '금', 'ก', 'ab', 'a ', '7a'].filter((q) => !isSearchable(q))).toEqual([])
  expect(['a', '7', 'é', 'ж', ' ', '\u3000\u3000', '。', '"'].filter(isSearchable)).toEqual([])
})

/** Letters whose case, accent, width or script is something special, and what stands between words. */
const letters = fc.constantFrom(
  ...'a Z ä Ä ß ẞ ı I i İ ſ K Å ﬁ ŉ ǰ ΐ ς σ Σ ά ᾳ Ա և Ё й Ⅳ ⓐ ꭰ ł Đ ø æ Œ þ ŋ e\u0301 o\u0323\u0302'.split(' '),
  ...'ق آ ى ی ک ة ٱ ـ ش\u0651 ש\u05c1 ה ٤ ۵ ५ ৭ ๙ हि न् த 税 金 東 京 々 あ が ﾞ ｶ ー 한 글 ก น้ำ ခ ខ 𠀀 株 ㍿ 7 42'.split(
    ' ',
  ),
  ...[
    ' ',
    ' ',
    '  ',
    '-',
    '.',
    '_',
    '@',
    '、',
    '。',
    '・',
    '\n',
    '\u00a0',
    '\u200b',
    '\u200d',
    '\u00ad',
    '🚀',
    '%',
    "'",
    '"',
  ],
)
const texts = fc.string({ unit: letters, maxLength: 30 }).map((text) => text.normalize('NFC'))

const wordsOf = (text: string): string[] => chunksOf(foldText(text)).flatMap(wordsOfChunk)

/** A plain search: each part of `q` is words that follow each other, the last of which may go on. */
function finds(text: string, q: string): boolean {
  const words = wordsOf(text)
  return q.split(/\s+/u).every((part) => {
    const chunks = chunksOf(foldText(part))
    const [last] = chunks.slice(-1)
    if (last === undefined) return true
    const asked = chunks.flatMap(wordsOfChunk)
    // The last character of some that stand together may be followed by another.
    if (last.isUnspaced && Array.from(last.text).length > 1) asked.pop()
    const mayGoOn = !last.isUnspaced || Array.from(last.text).length === 1
    return words.some((_word, from) =>
      asked.every((each, at) => {
        const word = words[from + at]
        return at === asked.length - 1 && mayGoOn ? word?.startsWith(each) : word === each
      }),
    )
  })
}

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  test('the database folds every text as the code does, and what is folded stays as it is', async () => {
    const given = fc.sample(texts, { numRuns: 1_000, seed: 1 })

    const rows = await database.db.$queryRaw<{ once: string; twice: string }[]>`
      SELECT folded(given) AS once, folded(folded(given)) AS twice
      FROM unnest(${given}::text[]) WITH ORDINALITY AS each (given, place) ORDER BY place`

    expect(rows).toEqual(given.map((text) => ({ once: foldText(text), twice: foldText(text) })))
  })

  test('it stores the words that the code sees, at their places', async () => {
    const given = fc.sample(fc.tuple(texts, texts), { numRuns: 1_000, seed: 2 })

    const rows = await database.db.$queryRaw<{ words: string[] }[]>`
      SELECT coalesce((SELECT array_agg(lexeme ORDER BY position) FROM unnest(search_words(title, body)) AS w,
        unnest(w.positions) AS position), '{}') AS words
      FROM unnest(${given.map(([title]) => title)}::text[], ${given.map(([, body]) => body)}::text[])
        WITH ORDINALITY AS each (title, body, place) ORDER BY place`

    expect(rows.map(({ words }) => words)).toEqual(given.map(([title, body]) => wordsOf(`${title}\n${body}`)))
  })

  test('it finds what a plain search finds', async () => {
    const pairs = fc
      .sample(
        fc
          .tuple(
            texts,
            fc.nat({ max: 12 }),
            fc.integer({ min: 1, max: 8 }),
            fc.nat({ max: 3 }).map((n) => n === 0),
            texts,
          )
          .map(([text, from, length, isOther, other]): [string, string] => {
            const part = Array.from(text)
              .slice(from, from + length)
              .join('')
            return [text, (isOther ? `${part} ${other.slice(0, 3)}` : part).replaceAll(/["“”„«»「」]/gu, ' ')]
          }),
        { numRuns: 2_000, seed: 3 },
      )
      .filter(([, q]) => wordQuery(q) !== null)

    const rows = await database.db.$queryRaw<{ found: boolean }[]>`
      SELECT search_words(text, NULL) @@ q::tsquery AS found
      FROM unnest(${pairs.map(([text]) => text)}::text[], ${pairs.map(([, q]) => wordQuery(q))}::text[])
        WITH ORDINALITY AS each (text, q, place) ORDER BY place`

    const expected = pairs.map(([text, q]) => finds(text, q))
    expect(rows.map(({ found }) => found)).toEqual(expected)
    expect(expected.filter(Boolean).length).toBeGreaterThan(300)
  })

  test('of a text with more words than there are places, every phrase is found', async () => {
    const words = Array.from({ length: 18_000 }, (_, at) => `w${at.toString(36)}`)
    const text = words.join(' ').slice(0, 99_000)
    const kept = text.split(' ').length - 1
    const froms = [0, 16_355, 16_362, 16_363, 16_375, 16_383].filter((from) => from + 10 < kept)
    const runs = Array.from({ length: 60_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join(
      '',
    )

    const phrases = froms.map((from) => `"${words.slice(from, from + 8).join(' ')}"`)
    const parts = [0, 16_362, 16_380, 32_720, 59_990].map((from) => runs.slice(from, from + 8))
    const found = await database.db.$queryRaw<{ found: boolean }[]>`
      SELECT (CASE WHEN place <= ${phrases.length}::int THEN (SELECT search_words('', ${text}::text))
        ELSE (SELECT search_words('', ${runs}::text)) END) @@ q::tsquery AS found
      FROM unnest(${[...phrases, ...parts].map(wordQuery)}::text[]) WITH ORDINALITY AS each (q, place) ORDER BY place`

    expect(found.map((row) => row.found)).toEqual([...phrases, ...parts].map(() => true))
  })
})
