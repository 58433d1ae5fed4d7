import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalHash } from '../../../service/text/canonical-json.ts'

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, reversed(inner)])
      .toReversed(),
  )
}

test('the order of names makes no difference, at any depth', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalHash(reversed(value))).toEqual(canonicalHash(value))
    }),
  )
})

test('the order of items and any other value do', () => {
  expect(canonicalHash([1, 2])).not.toEqual(canonicalHash([2, 1]))
  expect(canonicalHash({ a: 1 })).not.toEqual(canonicalHash({ a: '1' }))
  expect(canonicalHash({ a: null })).not.toEqual(canonicalHash({}))
})
