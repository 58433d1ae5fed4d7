import fc from 'fast-check'
import { expect, test } from 'vitest'
import { snippetLengthMax } from '#contract/search.ts'
import { marked, snippetOf } from '../../../service/search/snippet.ts'

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
})
