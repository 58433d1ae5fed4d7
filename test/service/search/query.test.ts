// What is found by which words, and what is shown of it.
import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { collectionSegments } from '#contract/scopes.ts'
import { snippetLengthMax } from '#contract/search.ts'
import type { Database } from '#prisma/client.ts'
import { wordQuery } from '../../../service/collection/text-matching.ts'
import { eachCollection } from '../../../service/collections.ts'
import { readable } from '../../../service/search/operations.ts'
import { searchStatement, searchedKindsIn } from '../../../service/search/rows.ts'
import { marked, snippetOf } from '../../../service/search/snippet.ts'
import { textError, toNfc } from '../../../service/text/characters.ts'
import { workspaceRow } from '../../prisma/rows.ts'
import { onEachEngine, sharedDatabase } from '../../support/database-engines.ts'

const kinds = searchedKindsIn(eachCollection)

/** Whatever means something to a query, a pattern or a quotation. */
const signs = `' " \\ : * & | ! < > ( ) % _ - . @ / a 42 é`.split(' ').concat(' ')

test.each([
  ['website', `'website':*`],
  ['Web Ünit', `'web':* & 'unit':*`],
  ['“site map” 3.14', `('site' <-> 'map') & ('3' <-> '14':*)`],
  ['ada@example.com', `('ada' <-> 'example' <-> 'com':*)`],
  ['WEB-42', `('web' <-> '42':*)`],
  [`o'neil\\`, `('o' <-> 'neil':*)`],
  ['हिन्दी', `'हिन्दी':*`],
  ['税', `'税':*`],
  ['東京都', `('東京' <-> '京都')`],
  ['iPhone税金', `('iphone' <-> '税金')`],
  ['税金2026', `('税金' <-> '金' <-> '2026':*)`],
  ['"税" «one»', `'税':* & 'one'`],
  ['"open', `'open':*`],
  // A mark without a letter to stand on, and what is no letter in this version of Unicode.
  ['\u102b\u{33e7a}', `'\u102b':*`],
])('%s is asked for as %s', (q, query) => {
  expect(wordQuery(q)).toBe(query)
})

test('what holds no letter and no digit is no word, and no more than twenty words are looked at', () => {
  expect(wordQuery(' — & | ! ')).toBeNull()
  expect(wordQuery('a '.repeat(100))?.split('&')).toHaveLength(20)
})

test('who names no kind is shown what he may read, who names one that he may not is refused', () => {
  const refusal = (...scopes: string[]) => expect.objectContaining({ members: { requiredScopes: scopes } }) as Error

  expect(readable(undefined, ['tasks:write', 'documents:read', 'members:read'])).toEqual(['tasks', 'documents'])
  expect(readable(['documents'], ['documents:delete'])).toEqual(['documents'])
  expect(() => readable(['documents', 'tasks'], ['documents:read'])).toThrow(refusal('tasks:read'))
  const all = collectionSegments.map((segment) => `${segment}:read`)
  expect(() => readable(undefined, ['members:read'])).toThrow(refusal(...all))
})

onEachEngine((kind) => {
  const database = sharedDatabase(kind)
  const workspaceId = uuid()
  beforeAll(() => fill(database.db, workspaceId))

  const find = (q: string) =>
    database.db.$queryRaw<{ title: string }[]>(
      searchStatement(kinds, { q, limit: 50, includeArchived: true }, collectionSegments, workspaceId),
    )
  const titles = async (q: string): Promise<string[]> => (await find(q)).map(({ title }) => title)

  test('no text whatever makes it fail', { timeout: 120_000 }, async () => {
    const length = { minLength: 2, maxLength: 200 }
    const text = fc
      .oneof(fc.string({ unit: 'binary', ...length }), fc.string({ unit: fc.constantFrom(...signs), ...length }))
      .filter((q) => textError(q) === null && /\S/u.test(q))
      .map(toNfc)
    const never = fc.asyncProperty(text, async (q) => Array.isArray(await find(q)))
    await fc.assert(never, { numRuns: 200 })
  })

  test('a title is found by any of its own words, whatever they are', { timeout: 120_000 }, async () => {
    const { db } = database
    const word = fc.stringMatching(/^[\p{L}\p{Nd}]{3,12}$/u).map(toNfc)
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), fc.nat(), async (words, which) => {
        const title = words.join(' ')
        await db.document.updateMany({ where: { workspaceId, summary: 'changing' }, data: { title } })

        expect(await titles(words[which % words.length] ?? '')).toContain(title)
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    [['Open invoices'], ['invoices open']],
    [
      ['Invoice', 'Open invoices'],
      ['voic', 'invoise'],
    ],
    [['Letter'], ['ada@example.com', 'ada@exam', 'web-42', 'report.pdf', '3.14', '"see web 42"', '３.１４']],
    [[], ['"invoice for bob"', '"web-4"', '14.3']],
    [['Ärger mit Zoë'], ['ÄRGER', 'zoë', 'Zoe', 'arger']],
    [['Łódź, Straße, Đặng, Καλημέρα, İzmir, Ёлка'], ['dang', 'καλημερα', 'IZMIR', 'ıZMİR', 'елка']],
    [['Łódź, Straße, Đặng, Καλημέρα, İzmir, Ёлка'], ['"lodz strasse"', 'ΚΑΛΗΜΈΡΑ']],
    [['قُرْآن و שָׁלוֹם'], ['שלום', 'שָׁלוֹם']],
    [['定例会議室'], ['会議', '室', '定', '例会議', '"会議室"']],
    [['申告'], ['税', '都の税', 'ｶﾞｽ', 'ガス 税', '"東京都の税金"', 'บ้าน', '세금']],
    [[], ['京東', '税都', '"都 の"']],
    [['100% sure'], ['100%']],
    [[], ['%%', '__']],
  ])('%j is found by each of %j', async (expected, searched) => {
    for (const q of searched) expect([q, (await titles(q)).toSorted()]).toEqual([q, expected])
  })

  test.each([
    ['uberprufung', '**Überprüfung**'],
    ['strasse', '**Straße**'],
    ['ŁÓDŹ', '**Łódź**'],
    ['قران', '**قُرْآن**'],
    ['"aegypten"', '**Ægypten**'],
    ['京都', '東**京都**の'],
  ])('what %s finds far into a long text is shown', async (q, shown) => {
    const hits = (await find(q)) as unknown as { title: string; passage: string }[]
    const hit = hits.find(({ title }) => title === 'Long')

    expect(snippetOf(marked(hit?.passage ?? '', q))).toContain(shown)
  })
})

const texts = [
  ['Invoice', ''],
  ['Open invoices', ''],
  ['Letter', 'The invoice for ada@example.com: see WEB-42, report.pdf and 3.14.'],
  ['Ärger mit Zoë', ''],
  ['定例会議室', ''],
  ['Łódź, Straße, Đặng, Καλημέρα, İzmir, Ёлка', ''],
  ['قُرْآن و שָׁלוֹם', ''],
  [
    'Long',
    `${'Nothing here. '.repeat(500)}Überprüfung, Straße, Łódź, قُرْآن, Ægypten und 東京都の話. ${'x '.repeat(900)}`,
  ],
  ['申告', `${'長い文章。'.repeat(400)}東京都の税金とガス料金。ที่บ้านของเรา 종합소득세금은 iPhone税`],
  ['100% sure', ''],
] as const

async function fill(db: Database, workspaceId: string): Promise<void> {
  await db.workspace.create({ data: workspaceRow({ id: workspaceId }) })
  const at = new Date()
  const stamps = { version: 1, createdAt: at, updatedAt: at, createdBy: {}, updatedBy: {} }
  const row = { workspaceId, status: 'draft', wordCount: 0, checksum: '', ...stamps }
  const changing = { ...row, id: uuid(), title: 'xyz', content: '', summary: 'changing' }
  const fixed = texts.map(([title, content]) => ({ ...row, id: uuid(), title, content }))
  await db.document.createMany({ data: [changing, ...fixed] })
}

const marks = (text: string): number => text.split('**').length - 1

const lead = 'x'.repeat(90)

test.each([
  ['a text without a word that was found gives none', 'Nothing of it', null],
  ['nor does an empty one', '', null],
  ['a snippet is one line', ' # Plan\n\nThe **launch**\tis near\r\n', '# Plan The **launch** is near'],
  ['a long one is cut', `**found** ${'y'.repeat(300)}`, `**found** ${'y'.repeat(189)}…`],
  ['or before a word that was found', `**found** ${lead} ${lead} **again**`, `**found** ${lead} ${lead}…`],
  ['the word is moved to the front', `${'x'.repeat(500)} **found** it`, `…${'x'.repeat(59)} **found** it`],
  ['a word that would fill it alone gives none', `**${'x'.repeat(300)}**`, null],
])('%s', (_rule, text, snippet) => {
  expect(snippetOf(text)).toBe(snippet)
})

test('whatever the text, a snippet fits, is well-formed and leaves no mark open', () => {
  const plain = fc.string({ unit: 'binary', maxLength: 150 }).map((text) => text.replaceAll('**', ''))
  const piece = fc.record({ before: plain, word: plain.filter((text) => !/^\*|\*$|^\s*$/.test(text)) })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), plain, (pieces, after) => {
      const text = pieces.map(({ before, word }) => `${before.replace(/\*$/, '')} **${word}** `).join('') + after

      const snippet = snippetOf(text)

      if (snippet === null) return
      expect(snippet.length).toBeLessThanOrEqual(snippetLengthMax)
      expect(snippet.isWellFormed()).toBe(true)
      expect(marks(snippet) % 2).toBe(0)
      expect(snippet).not.toMatch(/[\r\n]/)
    }),
  )
})

test('each word that begins with one of those that were searched for is marked, whatever its case, and no other', () => {
  expect(marked('Straßenbau, STRASSE und Gasse **fett**', 'strasse FETT')).toBe(
    '**Straßenbau**, **STRASSE** und Gasse **fett**',
  )
  expect(marked('WEB-42 is 42, not 4 or 142', '42')).toBe('WEB-**42** is **42**, not 4 or 142')
  expect(marked('a.b (c) [d]', '.* ( [')).toBe('a.b (c) [d]')
  expect(marked('Die Überprüfung in Łódź', 'uberpruf lodz')).toBe('Die **Überprüfung** in **Łódź**')
  expect(marked('東京都の税金と税', '税 東京')).toBe('**東京**都の**税**金と**税**')
  expect(marked('a plan of plans, planned', '"plan"')).toBe('a **plan** of plans, planned')
  expect(marked('قُرْآن ﬁne ㍿', 'قران fine 式会')).toBe('**قُرْآن** **ﬁne** **㍿**')
})
