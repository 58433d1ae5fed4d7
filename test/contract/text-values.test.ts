import { expect, test } from 'vitest'
import { itemsOfList, textOfList } from '#contract/text-values.ts'

test.each([
  ['a', ['a']],
  ['a,b', ['a', 'b']],
  ['Berlin\\, west', ['Berlin, west']],
  ['Berlin\\, west,b', ['Berlin, west', 'b']],
  ['a\\\\,b', ['a\\', 'b']],
  ['a\\b', ['a\\b']],
  ['a\\', ['a\\']],
  ['\\!a', ['\\!a']],
  ['a,,b,', ['a', '', 'b', '']],
  ['', ['']],
])('%j holds %j', (text, values) => {
  expect(itemsOfList(text)).toEqual(values)
})

test('a list is written as it is read', () => {
  const items = ['a,b', 'c\\d', '', 'e\\,']
  expect(itemsOfList(textOfList(items))).toEqual(items)
})
