// The estimate of tokens beside a tokenizer.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { estimateTokens, fits, fitsAsJson } from '../../../service/mcp/tools/budget.ts'

const root = join(import.meta.dirname, '../../..')
const row = () => ({
  id: randomUUID(),
  identifier: 'WEB-42',
  title: 'Angebot für Müller',
  dueDate: '2026-12-01',
  version: 3,
})

test.each([
  ['English with code', readFileSync(join(root, 'docs/api.md'), 'utf8').slice(0, 20_000)],
  ['rows as JSON', JSON.stringify(Array.from({ length: 30 }, row))],
  ['rows as text', Array.from({ length: 30 }, () => Object.values(row()).join(' | ')).join('\n')],
  [
    'German',
    'Die Besprechung über die Gehälter der Mitarbeiterinnen findet am Donnerstag um fünfzehn Uhr statt. '.repeat(20),
  ],
  ['Polish', 'Proszę przesłać sprawozdanie do końca tygodnia wszystkim współpracownikom. '.repeat(20)],
  ['Russian', 'Пожалуйста, отправьте отчёт о проделанной работе до конца недели. '.repeat(20)],
  ['Japanese', '本日の会議の議事録を共有いたします。次回の打ち合わせは来週の月曜日です。'.repeat(20)],
  ['emoji', '🎉🚀👩‍💻🔥✅'.repeat(50)],
])('%s is never taken for less than it is, nor for much more than twice of it', (_name, text) => {
  const factor = estimateTokens(text) / countTokens(text)

  expect(factor).toBeGreaterThanOrEqual(1)
  expect(factor).toBeLessThan(2.2)
})

test('a text fits that has no more characters than tokens may be, and otherwise by its estimate', () => {
  expect([fits('', 0), fits('aaaaaaaaaa', 10), fits('aaaaaaaaaa', 2), fits('aaaaaaaaaa', 1)]).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(estimateTokens('')).toBe(0)
})

test('a value that fits without being written as JSON fits when it is written, too', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '"', '\\', '\n', '\t', ' ', '日') })
  const plain = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      plain,
      fc.array(tie('value')),
      fc.dictionary(fc.stringMatching(/^[a-z]*$/), tie('value')),
    ),
  }))
  fc.assert(
    fc.property(values, (value) => {
      const { length } = JSON.stringify(value)
      // One that has no room left is looked at closely, and its estimate then counts.
      expect(fitsAsJson(value, length - 1)).toBe(fits(JSON.stringify(value), length - 1))
    }),
  )
})

test('a value that does not fit as JSON is found out', () => {
  expect(fitsAsJson({ text: 'a'.repeat(40) }, 40)).toBe(true)
  expect(fitsAsJson({ text: '日'.repeat(40) }, 40)).toBe(false)
})
