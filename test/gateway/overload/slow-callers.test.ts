import { expect, test } from 'vitest'
import {
  progressAfter,
  restarted,
  lowestBytesPerSecond,
  windowAfter,
  firstWindow,
  type UploadWindow,
} from '../../../gateway/overload/slow-callers.ts'

const before = { sentBytes: 100, since: 1_000 }

test('an answer that waits for the service goes on as long as that takes', () => {
  expect(progressAfter(before, 0, 100, 9_000)).toEqual({ sentBytes: 100, since: 9_000 })
})

test('an answer of which something was taken goes on, one of which nothing was taken has stood still since', () => {
  expect(progressAfter(before, 65_536, 101, 9_000)).toEqual({ sentBytes: 101, since: 9_000 })
  expect(progressAfter(before, 65_536, 100, 9_000)).toEqual(before)
})

const windowMs = 5_000
const enough = (lowestBytesPerSecond * windowMs) / 1_000
const after = (window: UploadWindow | null, bytes: number, now: number) =>
  window && windowAfter(window, bytes, windowMs, now)

test('the first window is free, and each later one is measured by itself', () => {
  const begun = after(firstWindow(0), 0, windowMs)
  const second = after(begun, enough, 2 * windowMs)

  expect([begun, second]).toEqual([
    { since: windowMs, bytes: 0, isFirst: false },
    { since: 2 * windowMs, bytes: enough, isFirst: false },
  ])
  expect(after(second, 2 * enough - 1, 3 * windowMs)).toBeNull()
})

test('no window is measured before it is over', () => {
  const begun = after(firstWindow(0), 0, windowMs)

  expect(after(begun, 0, 2 * windowMs - 1)).toBe(begun)
})

test('a body that the service does not take is not slow', () => {
  const begun = after(firstWindow(0), 0, windowMs)
  const waited = restarted(begun!, 10, 9 * windowMs)

  expect(after(waited, 10, 10 * windowMs - 1)).toBe(waited)
  expect(after(waited, 10 + enough, 10 * windowMs)).not.toBeNull()
})
