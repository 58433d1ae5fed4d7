// Doing again, going on, and waiting no longer than that.
import { expect, test } from 'vitest'
import { loop } from '#runtime/loop.ts'
import { backoffMs, retryWithBackoff } from '#runtime/retry.ts'
import { waitAtMost, withTimeout, yieldWhenBusy } from '#runtime/timeouts.ts'
import { eventually } from '../support/eventually.ts'

test('work that fails is done again until it succeeds or is given up, and at least once', async () => {
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const work = async () => {
    if (errors.length < 2) throw new Error('not yet')
  }
  expect(await retryWithBackoff(work, { signal: new AbortController().signal, onError })).toBe(true)
  expect(errors).toHaveLength(2)

  const [givingUp, tries] = [new AbortController(), [0, 0]]
  const failing = (which: 0 | 1) => () => Promise.reject(new Error(`never ${(tries[which] = tries[which]! + 1)}`))
  const given = retryWithBackoff(failing(0), { signal: givingUp.signal, onError })
  givingUp.abort()
  const late = await retryWithBackoff(failing(1), { signal: AbortSignal.abort(), onError })
  expect([await given, late, tries[1]]).toEqual([false, false, 1])
})

test('the pause doubles with each failure, up to its bound', () => {
  const pauses = [1, 2, 3, 4, 5, 5_000].map((failures) => backoffMs(failures, { minMs: 100, maxMs: 1_000 }))
  expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000])
})

test('a loop sleeps as long as its last run says, can be woken, and ends when closed', async () => {
  let runs = 0
  const run = async () => {
    runs++
    return 60_000
  }
  const looping = loop(run, () => {})
  await eventually(() => runs === 1, 'the first run')
  looping.wake()
  await eventually(() => runs === 2, 'the second run')
  await looping.close()
  expect(runs).toBe(2)
})

test('a run that fails is reported and followed by another, not at once', async () => {
  const at: number[] = []
  const run = async () => {
    at.push(performance.now())
    if (at.length < 3) throw new Error('database away')
    return 60_000
  }
  const looping = loop(run, () => looping.wake())
  await eventually(() => at.length === 3, 'the third run')
  await looping.close()
  const [first = 0, second = 0, third = 0] = at
  expect(second - first).toBeGreaterThan(200)
  expect(third - second).toBeGreaterThan(400)
})

const never = new Promise<never>(() => {})

test('work that is done in time resolves or rejects as it does by itself', async () => {
  expect(await withTimeout(5_000, Promise.resolve('done'), 'late')).toBe('done')
  await expect(withTimeout(5_000, Promise.reject(new Error('away')), 'late')).rejects.toThrow('away')
  await waitAtMost(5_000, Promise.resolve())
})

test('work that takes longer is rejected with the message, or no longer waited for', async () => {
  await expect(withTimeout(5, never, 'late')).rejects.toThrow('late')
  await expect(waitAtMost(5, never)).resolves.toBeUndefined()
})

/** An event loop whose turns take so long, the last of them again and again. */
function loopOf(...turnsMs: readonly number[]) {
  let [at, turns] = [0, 0]
  const nextTurn = async () => void (at += turnsMs[Math.min(turns++, turnsMs.length - 1)] ?? 0)
  return { nextTurn, now: () => at, turns: () => turns }
}

test.each([
  ['a short turn is enough', [0], 1],
  ['what is under way goes first', [8, 5, 1], 3],
  ['and no longer than it may', [8], 3],
  ['one turn that is longer than that is enough', [100], 1],
])('%s', async (_promise, turnsMs, turns) => {
  const loop = loopOf(...turnsMs)
  await yieldWhenBusy(20, loop)
  expect(loop.turns()).toBe(turns)
})

test('an event loop with nothing to do is quiet', async () => {
  await expect(yieldWhenBusy(20)).resolves.toBeUndefined()
})
