import { expect, test } from 'vitest'
import { batchItemsIn } from '../../../gateway/rate-limit/call-cost.ts'

const countOf = (text: string) => batchItemsIn(Buffer.from(text))

test('a batch counts as so many calls as it has items', () => {
  expect([countOf('{"items":[1]}'), countOf('{"items":[{},{},[1,2]],"atomic":true}')]).toEqual([1, 3])
})

test('one with more than a batch may have counts as the largest', () => {
  expect(countOf(JSON.stringify({ items: Array.from({ length: 101 }, () => 0) }))).toBe(100)
})

test.each(['', '{', 'null', '7', '[1,2]', '{}', '{"items":[]}', '{"items":{"length":9}}', '{"items":"abc"}'])(
  '%s counts as one call',
  (text) => {
    expect(countOf(text)).toBe(1)
  },
)
