import { expect, test } from 'vitest'
import { isLine } from '../../../service/text/characters.ts'

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
