import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentBytesMax } from '#contract/documents.ts'
import { applyEdits, type Edit } from '../../../service/documents/edits.ts'
import { edited, partOf } from '../../../service/documents/operations.ts'
import { occurrences } from '../../../service/documents/occurrences.ts'
import { errorsOf } from '../../support/faults.ts'

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

      if (places === 0) expect(errorsOf(act)).toMatchObject([{ pointer: '/edits/0/find', code: 'not_found' }])
      else if (places > 1 && !all)
        expect(errorsOf(act)).toMatchObject([{ pointer: '/edits/0/find', code: 'not_unique' }])
      else {
        const split = text.split(find)
        expect(act()).toEqual({ text: split.join(replace), replacements: [split.length - 1] })
      }
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

test.each<[string, readonly Edit[], string, string]>([
  [
    'a\nb',
    [
      { find: 'b', replace: 'b' },
      { find: 'c', replace: '' },
    ],
    'not_found',
    'Occurs 0 times',
  ],
  ['a\na\nb a', [{ find: 'a', replace: '' }], 'not_unique', '3 times, first in lines 1, 2 and 3:'],
  ['aaa', [{ find: 'aa', replace: '' }], 'not_unique', '2 times'],
])('of %j the edits %j are refused: it is said how often the text occurs', (text, edits, code, said) => {
  expect(errorsOf(() => applyEdits(text, edits))).toMatchObject([{ code, detail: expect.stringContaining(said) }])
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
  [guide, { section: 'A' }, { text: '# A\nx\n## B\nx\n', fromLine: 1, toLine: 4, nextLine: null }],
  [guide, { fromLine: 5, toLine: 99 }, { text: '# C\nx\n', toLine: 6, totalLines: 6 }],
  [guide, { maxBytes: 6 }, { text: '# A\nx\n', toLine: 2, nextLine: 3, headingCount: 3 }],
  [guide, { maxBytes: 1 }, { text: '# A\n', nextLine: 2 }],
  ['', {}, { text: '', fromLine: 1, toLine: 0, totalLines: 0, totalBytes: 0, outline: [] }],
])('of %j the part %j: a section, a range of lines, or as many of them as fit', (text, asked, part) => {
  expect(partOf(text, asked)).toMatchObject(part)
})

test('the outline of a part is that of what it shows', () => {
  expect(partOf(guide, { section: 'A' }).outline.map(({ title }) => title)).toEqual(['A', 'B'])
})

test.each([
  [{ fromLine: 7 }, 'fromLine', 'too_large'],
  [{ fromLine: 3, toLine: 2 }, 'toLine', 'too_small'],
  [{ section: 'A', toLine: 2 }, 'section', 'unknown'],
  [{ section: 'D' }, 'section', 'not_found'],
])('%j is no part, and %s is refused as %s', (asked, parameter, code) => {
  expect(errorsOf(() => partOf(guide, asked))).toMatchObject([{ parameter, code }])
})
