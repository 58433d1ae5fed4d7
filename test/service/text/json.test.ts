import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalHash, canonicalJson } from '../../../service/text/json.ts'

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

test('names are sorted, numbers first as in any object, and what JSON leaves out is left out', () => {
  const value = { b: [{ z: 1, a: undefined }, undefined], '10': 'x', a: null, '9': new Date(0) }

  expect(canonicalJson(value)).toBe('{"9":"1970-01-01T00:00:00.000Z","10":"x","a":null,"b":[{"z":1},null]}')
})

test('the order of items and any other value do', () => {
  expect(canonicalHash([1, 2])).not.toEqual(canonicalHash([2, 1]))
  expect(canonicalHash({ a: 1 })).not.toEqual(canonicalHash({ a: '1' }))
  expect(canonicalHash({ a: null })).not.toEqual(canonicalHash({}))
})
