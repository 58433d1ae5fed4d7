import { expect, test } from 'vitest'
import { choiceOf, hasOneSense, assertSpans } from '../../../service/validation/query-parameters.ts'

test('a `!` negates, and one with a backslash before it belongs to the value', () => {
  expect(choiceOf(['!a', '!!b', '!\\!c'])).toEqual({ values: ['a', '!b', '\\!c'], negated: true })
  expect(choiceOf(['a', '\\!b', '\\\\!c', '\\d'])).toEqual({ values: ['a', '!b', '\\!c', '\\d'], negated: false })
})

test('values are all wanted or all unwanted', () => {
  expect([['a'], ['!a', '!b'], ['\\!a', 'b']].every(hasOneSense)).toBe(true)
  expect(
    [
      ['!a', 'b'],
      ['!a', '\\!b'],
    ].some(hasOneSense),
  ).toBe(false)
})

const refuse = (field: string, code: string): never => {
  throw new Error(`${field} ${code}`)
}
const at = (seconds: number) => `2026-01-31T12:00:0${seconds}Z`

test('a span that something can lie in is fine, as is one that is open', () => {
  for (const query of [
    { createdAfter: at(1), createdBefore: at(2) },
    { createdAfter: '2026-01-31T13:00:00+02:00', createdBefore: '2026-01-31T12:00:00Z' },
    { dueAfter: '2026-01-31', dueBefore: '2026-02-02' },
    { updatedAfter: at(1) },
    { updatedBefore: at(1), createdAfter: at(5) },
  ])
    expect(() => assertSpans(query, refuse)).not.toThrow()
})

test('one that ends before it begins is refused by the name of its end', () => {
  expect(() => assertSpans({ createdAfter: at(2), createdBefore: at(1) }, refuse)).toThrow('createdBefore too_small')
  expect(() => assertSpans({ updatedAfter: at(2), updatedBefore: at(2) }, refuse)).toThrow('updatedBefore too_small')
  expect(() => assertSpans({ dueAfter: '2026-01-31', dueBefore: '2026-02-01' }, refuse)).toThrow('dueBefore too_small')
})
