import fc from 'fast-check'
import { expect, test } from 'vitest'
import { depthOf } from '../../../service/http/json.ts'

test('arrays and objects are counted, brackets in strings are not', () => {
  expect(depthOf('1')).toBe(0)
  expect(depthOf('{"a":[{"b":1}],"c":{}}')).toBe(3)
  expect(depthOf('{"a":"[[[[{{{{","b":"\\"[["}')).toBe(1)
})

test('a million brackets are counted without a stack', () => {
  expect(depthOf('['.repeat(1_000_000))).toBe(1_000_000)
})

test('the depth of any value is that of its text', () => {
  const depth = (value: unknown): number =>
    value !== null && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(depthOf(JSON.stringify(value))).toBe(depth(value))
    }),
  )
})
