import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { v7 as uuid } from 'uuid'
import { collectionSegments } from '#contract/scopes.ts'
import { eachCollection } from '../../../service/collections.ts'
import { readable } from '../../../service/search/operations.ts'
import { searchStatement, searchedKindsIn } from '../../../service/search/rows.ts'
import { wordQuery } from '../../../service/collection/text-matching.ts'
import { textError, toNfc } from '../../../service/text/characters.ts'
import type { Database } from '#prisma/client.ts'
import { workspaceRow } from '../../prisma/rows.ts'
import { onEachEngine, sharedDatabase } from '../../support/database-engines.ts'

const kinds = searchedKindsIn(eachCollection)

/** Whatever means something to a query, a pattern or a quotation. */
const signs = `' " \\ : * & | ! < > ( ) % _ - . @ / a 42 é`.split(' ').concat(' ')

test.each([
  ['website', `'website':*`],
  ['Web site', `'Web':* & 'site':*`],
  ['“site”', `'site':*`],
  ['ada@example.com', `('ada@example.com':* | ('ada':* & 'example':* & 'com':*))`],
  ['WEB-42', `('WEB-42':* | ('WEB':* & ('42':* | '-42':*)))`],
  [`o'neil\\`, `('o''neil':* | ('o':* & 'neil':*))`],
  ['हिन्दी', `'हिन्दी':*`],
  // A mark without a letter to stand on, and what is no letter in this version of Unicode.
  ['\u102b\u{33e7a}', `'\u102b':*`],
])('%s is asked for as %s', (q, query) => {
  expect(wordQuery(q)).toBe(query)
})

test('what holds no letter and no digit is no word', () => {
  expect(wordQuery(' — & | ! ')).toBeNull()
})

test('no more than twenty words are looked at', () => {
  expect(wordQuery('a '.repeat(100))?.split('&')).toHaveLength(20)
})

test('who names no kind is shown what he may read, who names one that he may not is refused', () => {
  expect(readable(undefined, ['tasks:write', 'documents:read', 'members:read'])).toEqual(['tasks', 'documents'])
  expect(readable(['documents'], ['documents:delete'])).toEqual(['documents'])
  expect(() => readable(['documents', 'tasks'], ['documents:read'])).toThrow(
    expect.objectContaining({ code: 'insufficient_scope', members: { requiredScopes: ['tasks:read'] } }),
  )
  expect(() => readable(undefined, ['members:read'])).toThrow(
    expect.objectContaining({ members: { requiredScopes: collectionSegments.map((segment) => `${segment}:read`) } }),
  )
})

onEachEngine((kind) => {
  describe('searching', () => {
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
      ['invoice', ['Invoice', 'Open invoices', 'Letter']],
      ['invoices open', ['Open invoices']],
      ['voic', ['Invoice', 'Open invoices']],
      ['invoise', ['Invoice', 'Open invoices']],
      ['ada@example.com', ['Letter']],
      ['ada@exam', ['Letter']],
      ['web-42', ['Letter']],
      ['report.pdf', ['Letter']],
      ['3.14', ['Letter']],
      ['ÄRGER', ['Ärger mit Zoë']],
      ['zoë', ['Ärger mit Zoë']],
      ['会議', ['定例会議室']],
      ['100%', ['100% sure']],
      ['%%', []],
      ['__', []],
    ])('%s finds %j', async (q, expected) => {
      expect((await titles(q)).toSorted()).toEqual(expected.toSorted())
    })

    test('the title itself comes first, then titles that have all words, then texts', async () => {
      expect(await titles('invoice')).toEqual(['Invoice', 'Open invoices', 'Letter'])
    })
  })
})

const texts = [
  ['Invoice', ''],
  ['Open invoices', ''],
  ['Letter', 'The invoice for ada@example.com: see WEB-42, report.pdf and 3.14.'],
  ['Ärger mit Zoë', ''],
  ['定例会議室', ''],
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
