import { expect, test } from 'vitest'
import { waitAtMost, withTimeout, yieldWhenBusy } from '#runtime/timeouts.ts'

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
