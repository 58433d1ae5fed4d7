import { expect, test, vi } from 'vitest'
import { bodyMemory } from '../../../gateway/overload/request-bodies.ts'
import * as slow from '../../../gateway/overload/slow-callers.ts'
import { openContext } from '../../../gateway/request/request-context.ts'

const call = () => openContext('r', null)
const noRoom = expect.objectContaining({
  code: 'unavailable',
  members: { retryAfterSeconds: 1, 'violated-policies': ['body-memory'] },
})

test('a key holds no more than its bound, all keys together no more than theirs, and what has ended is free', () => {
  const { countBytes } = bodyMemory({ all: 15, each: 10 })
  const [one, two, other] = [call(), call(), call()]
  const [ofOne, ofTwo, ofOther] = [countBytes('k', one), countBytes('k', two), countBytes('l', other)]
  ofOne(6)
  ofTwo(4)

  expect(() => ofTwo(1)).toThrow(noRoom)
  expect(() => ofOther(6)).toThrow(noRoom)
  ofOther(5)
  one.close(true)

  ofTwo(6)
  expect(() => ofTwo(1)).toThrow()
})

test('what comes after the end of its call is not held', () => {
  const { countBytes } = bodyMemory({ all: 10, each: 10 })
  const gone = call()
  const late = countBytes('k', gone)
  gone.close(false)

  late(10)

  expect(() => countBytes('k', call())(10)).not.toThrow()
})

const { progressAfter, restarted, lowestBytesPerSecond, windowAfter, firstWindow } = slow
const before = { sentBytes: 100, since: 1_000 }

test.each([
  ['that waits for the service goes on as long as that takes', 0, 100, { sentBytes: 100, since: 9_000 }],
  ['of which something was taken goes on', 65_536, 101, { sentBytes: 101, since: 9_000 }],
  ['of which nothing was taken has stood still since', 65_536, 100, before],
])('an answer %s', (_promise, waiting, sent, progress) => {
  expect(progressAfter(before, waiting, sent, 9_000)).toEqual(progress)
})

const windowMs = 5_000
const enough = (lowestBytesPerSecond * windowMs) / 1_000
const after = (window: slow.UploadWindow | null, bytes: number, now: number) =>
  window && windowAfter(window, bytes, windowMs, now)

test('the first window is free, each later one is measured by itself, and none before it is over', () => {
  const begun = after(firstWindow(0), 0, windowMs)
  const second = after(begun, enough, 2 * windowMs)

  expect(begun).toEqual({ since: windowMs, bytes: 0, isFirst: false })
  expect(after(begun, 0, 2 * windowMs - 1)).toBe(begun)
  expect(second).toEqual({ since: 2 * windowMs, bytes: enough, isFirst: false })
  expect(after(second, 2 * enough - 1, 3 * windowMs)).toBeNull()
})

test('a body that the service does not take is not slow', () => {
  const begun = after(firstWindow(0), 0, windowMs)
  const waited = restarted(begun!, 10, 9 * windowMs)

  expect(after(waited, 10, 10 * windowMs - 1)).toBe(waited)
  expect(after(waited, 10 + enough, 10 * windowMs)).not.toBeNull()
})

test('no caller is judged right after a pause of this process, and each is at the next turn', () => {
  vi.useFakeTimers()
  const judged: number[] = []
  let now = 0
  const timer = slow.openSharedTimer(1_000, () => now)
  timer.add((at) => judged.push(at))

  for (now of [1_000, 6_000, 7_000]) vi.advanceTimersByTime(1_000)

  timer.close()
  vi.useRealTimers()
  expect(judged).toEqual([1_000, 7_000])
})
