import { expect, test } from 'vitest'
import { changesBetween, isUnchanged } from '../../../service/execution/system-fields.ts'

test('only fields that differ are named, with both values', () => {
  const before = { name: 'a', labels: ['x'], status: 'open', version: 1, updatedAt: '1', updatedBy: {} }
  const after = { name: 'b', labels: ['x'], status: 'open', version: 2, updatedAt: '2', updatedBy: { id: 1 } }

  expect(changesBetween(before, after)).toEqual({ name: { from: 'a', to: 'b' } })
})

test('bookkeeping alone is no change', () => {
  expect(isUnchanged({ a: [1], version: 1 }, { a: [1], version: 2 })).toBe(true)
})
