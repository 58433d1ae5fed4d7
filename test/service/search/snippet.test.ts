import fc from 'fast-check'
import { expect, test } from 'vitest'
import { snippetLengthMax } from '#contract/search.ts'
import { marked, snippetOf } from '../../../service/search/snippet.ts'

const marks = (text: string): number => text.split('**').length - 1

test('a text without a word that was found gives no snippet', () => {
  expect(snippetOf(null)).toBeNull()
  expect(snippetOf('')).toBeNull()
  expect(snippetOf('Nothing of it')).toBeNull()
})

test('a snippet is one line', () => {
  expect(snippetOf(' # Plan\n\nThe **launch**\tis near\r\n')).toBe('# Plan The **launch** is near')
})

test('a long one is cut behind a word that was found, or before it', () => {
  const lead = 'x'.repeat(90)

  expect(snippetOf(`**found** ${'y'.repeat(300)}`)).toBe(`**found** ${'y'.repeat(189)}…`)
  expect(snippetOf(`**found** ${lead} ${lead} **again**`)).toBe(`**found** ${lead} ${lead}…`)
})

test('what stands far behind the beginning is moved to the front', () => {
  expect(snippetOf(`${'x'.repeat(500)} **found** it`)).toBe(`…${'x'.repeat(59)} **found** it`)
})

test('a word that would fill it alone gives none', () => {
  expect(snippetOf(`**${'x'.repeat(300)}**`)).toBeNull()
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
