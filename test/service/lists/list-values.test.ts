import { expect, test } from 'vitest'
import { choiceOf, hasOneSense } from '../../../service/validation/query-parameters.ts'

test('a `!` negates, and one with a backslash before it belongs to the value', () => {
  expect(choiceOf(['!a', '!!b', '!\\!c'])).toEqual({ values: ['a', '!b', '\\!c'], negated: true })
  expect(choiceOf(['a', '\\!b', '\\\\!c', '\\d'])).toEqual({ values: ['a', '!b', '\\!c', '\\d'], negated: false })
})

test('values are all wanted or all unwanted', () => {
  expect([['a'], ['!a', '!b'], ['\\!a', 'b'], ['!a', 'b'], ['!a', '\\!b']].map(hasOneSense)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})
