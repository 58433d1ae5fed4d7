import { expect, test } from 'vitest'
import { progressAfter } from '../../../gateway/overload/slow-callers.ts'

const before = { sentBytes: 100, since: 1_000 }

test('an answer that waits for the service goes on as long as that takes', () => {
  expect(progressAfter(before, 0, 100, 9_000)).toEqual({ sentBytes: 100, since: 9_000 })
})

test('an answer of which something was taken goes on, one of which nothing was taken has stood still since', () => {
  expect(progressAfter(before, 65_536, 101, 9_000)).toEqual({ sentBytes: 101, since: 9_000 })
  expect(progressAfter(before, 65_536, 100, 9_000)).toEqual(before)
})
