// What a document is, and what edits leave of its content.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Document, type DocumentStatus, contentBytesMax } from '#contract/documents.ts'
import { applyEdits } from '../../../service/documents/edits.ts'
import { occurrences } from '../../../service/documents/occurrences.ts'
import { edited, partOf } from '../../../service/documents/operations.ts'
import { applyPatch, draft, wordCount } from '../../../service/documents/rules.ts'
import { codeOf, errorsOf, faultOf } from '../../support/faults.ts'

const actor = { type: 'api_key', id: 'k1', name: 'Key' } as const
const origin = { id: 'd', workspaceId: 'w', actor, now: new Date('2026-01-02T03:04:05.678Z') }
const [projectId, crmEntityId] = ['p', 'c']
const checksumOfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const made = (more: object = {}): Document => draft({ title: 'Guide', ...more }, origin)

test('a new document is an empty draft of nothing', () => {
  const nothing = { content: '', wordCount: 0, checksum: checksumOfNothing, summary: null, folder: null, tags: [] }

  expect(made()).toMatchObject({ ...nothing, status: 'draft', version: 1, projectId: null, crmEntityId: null })
})

test.each<[DocumentStatus, readonly DocumentStatus[]]>([
  ['draft', ['published']],
  ['published', ['draft', 'archived']],
  ['archived', ['draft']],
])('what is %s may become %j, and another move is refused with these', (from, allowed) => {
  for (const to of ['draft', 'published', 'archived'] as const) {
    const refusal = faultOf(() => applyPatch(made({ status: from }), { status: to }))
    if (to === from || allowed.includes(to)) expect(refusal).toBeNull()
    else expect(refusal).toMatchObject({ code: 'invalid_transition', members: { from, to, allowed } })
  }
})

test('a document is of a project or of a CRM entity, also when it comes to be both in two steps', () => {
  const both = { code: 'validation_failed', members: { errors: [{ pointer: '/crmEntityId' }] } }

  expect(faultOf(() => made({ projectId, crmEntityId }))).toMatchObject(both)
  expect(faultOf(() => applyPatch(made({ projectId }), { crmEntityId }))).toMatchObject(both)
  expect(codeOf(() => applyPatch(made({ projectId }), { crmEntityId, projectId: null }))).toBeNull()
})

test('words are counted in every script, and add up over texts that are put one after the other', () => {
  const texts = ['', '# One, two – three\n\n* four', 'हिन्दी में', '...']

  expect(texts.map(wordCount)).toEqual([0, 4, 2, 0])
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      expect(wordCount(`${one}\n${other}`)).toBe(wordCount(one) + wordCount(other))
    }),
  )
})

const fewLetters = fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' '), maxLength: 40 })
const aFew = fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' '), minLength: 1, maxLength: 4 })

test('a text is found wherever it stands', () => {
  fc.assert(
    fc.property(fewLetters, aFew, (text, find) => {
      const expected = Array.from(text, (_, at) => at).filter((at) => text.startsWith(find, at))

      expect(occurrences(text, find)).toEqual(expected)
    }),
  )
})

test('an edit replaces its text where it stands once, or everywhere, and nothing else', () => {
  fc.assert(
    fc.property(fewLetters, aFew, fewLetters, fc.boolean(), (text, find, replace, all) => {
      const places = occurrences(text, find).length
      const act = () => applyEdits(text, [{ find, replace, all }])
      const split = text.split(find)

      const code = places === 0 ? 'not_found' : places > 1 && !all ? 'not_unique' : null
      if (code !== null) expect(errorsOf(act)).toMatchObject([{ pointer: '/edits/0/find', code }])
      else expect(act()).toEqual({ text: split.join(replace), replacements: [split.length - 1] })
    }),
  )
})

test('each edit sees what those before it have left', () => {
  const edits = [
    { find: 'one', replace: 'two' },
    { find: 'two', replace: 'three', all: true },
  ]

  expect(applyEdits('one two', edits)).toEqual({ text: 'three three', replacements: [1, 2] })
})

test.each([
  ['a\nb', 'c', 'not_found', 'Occurs 0 times'],
  ['a\na\nb a', 'a', 'not_unique', '3 times, first in lines 1, 2 and 3:'],
  ['aaa', 'aa', 'not_unique', '2 times'],
])('in %j an edit of %j is refused with all others: it is said how often the text occurs', (text, find, code, said) => {
  const errors = errorsOf(() =>
    applyEdits(`${text}!`, [
      { find: '!', replace: '' },
      { find, replace: '' },
    ]),
  )

  expect(errors).toMatchObject([{ pointer: '/edits/1/find', code, detail: expect.stringContaining(said) }])
})

test('text that is typed with other line breaks than the document has is found, and written with those that it has', () => {
  expect(applyEdits('a\r\nb\r\n', [{ find: 'a\nb', replace: 'c\nd' }]).text).toBe('c\r\nd\r\n')
  expect(applyEdits('a\nb', [{ find: 'a\r\nb', replace: 'c\r\nd' }]).text).toBe('c\nd')
  expect(errorsOf(() => applyEdits('a\r\nb\n', [{ find: 'a\nb', replace: '' }]))).toMatchObject([{ code: 'not_found' }])
})

test('a replacement that would make the content too large is refused before it is made', () => {
  const text = 'a'.repeat(contentBytesMax)

  expect(errorsOf(() => applyEdits(text, [{ find: 'a', replace: 'b'.repeat(200_000), all: true }]))).toMatchObject([
    { pointer: '/edits/0/replace', code: 'too_long' },
  ])
})

const guide = '# A\nx\n## B\nx\n# C\nx\n'
const ofA = ['A', 'B'].map((title) => expect.objectContaining({ title }) as object)

test('with a section only its text is looked at and changed, and lines are those of the document', () => {
  const edits = [{ find: 'x', replace: 'y' }]

  expect(edited(guide, { section: 'B', edits })).toEqual({ text: '# A\nx\n## B\ny\n# C\nx\n', replacements: [1] })
  const ambiguous = errorsOf(() => edited(`# 0\n${guide}`, { section: 'A', edits }))
  expect(ambiguous?.[0]?.detail).toContain('in lines 3 and 5')
  const missing = errorsOf(() => edited(guide, { section: 'D', edits: [] }))
  expect(missing).toMatchObject([{ pointer: '/section', code: 'not_found' }])
})

test('the content stays in Unicode’s composed form where an edit makes a letter and its mark meet', () => {
  expect(edited('e!', { edits: [{ find: '!', replace: '\u0301' }] }).text).toBe('é')
})

test.each([
  [guide, { section: 'A' }, { text: '# A\nx\n## B\nx\n', fromLine: 1, toLine: 4, nextLine: null, outline: ofA }],
  [guide, { fromLine: 5, toLine: 99 }, { text: '# C\nx\n', toLine: 6, totalLines: 6 }],
  [guide, { maxBytes: 6 }, { text: '# A\nx\n', toLine: 2, nextLine: 3, headingCount: 3 }],
  [guide, { maxBytes: 1 }, { text: '# A\n', nextLine: 2 }],
  ['', {}, { text: '', fromLine: 1, toLine: 0, totalLines: 0, totalBytes: 0, outline: [] }],
])('of %j the part %j: a section, a range of lines, or as many of them as fit', (text, asked, part) => {
  expect(partOf(text, asked)).toMatchObject(part)
})

test.each([
  [{ fromLine: 7 }, 'fromLine', 'too_large'],
  [{ fromLine: 3, toLine: 2 }, 'toLine', 'too_small'],
  [{ section: 'A', toLine: 2 }, 'section', 'unknown'],
  [{ section: 'D' }, 'section', 'not_found'],
])('%j is no part, and %s is refused as %s', (asked, parameter, code) => {
  expect(errorsOf(() => partOf(guide, asked))).toMatchObject([{ parameter, code }])
})
