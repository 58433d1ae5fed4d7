import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs, retryWithBackoff } from '../../runtime/retry.ts'

test('work that fails is done again until it succeeds or is given up', async () => {
  let tries = 0
  const errors: unknown[] = []
  const done = await retryWithBackoff(
    async () => {
      if (++tries < 3) throw new Error('not yet')
    },
    { signal: new AbortController().signal, onError: (error) => errors.push(error) },
  )
  expect([done, tries, errors.length]).toEqual([true, 3, 2])

  const givingUp = new AbortController()
  const failing = retryWithBackoff(() => Promise.reject(new Error('never')), {
    signal: givingUp.signal,
    onError: () => {},
  })
  givingUp.abort()
  expect(await failing).toBe(false)
})

test('after the signal is aborted the work is still done once, and not again', async () => {
  let tries = 0
  const done = await retryWithBackoff(
    async () => {
      tries++
      throw new Error('away')
    },
    { signal: AbortSignal.abort(), onError: () => {} },
  )
  expect([done, tries]).toEqual([false, 1])
})

test('the pause doubles with each failure, up to its bound', () => {
  const pauses = [1, 2, 3, 4, 5, 6].map((failures) => backoffMs(failures, { minMs: 100, maxMs: 1_000 }))
  expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000])
})

test('however many failures there were, the pause is within its bounds and never shorter than the one before', () => {
  const bounds = fc.tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 0, max: 10_000 }))
  fc.assert(
    fc.property(bounds, fc.integer({ min: 1, max: 5_000 }), ([minMs, more], failures) => {
      const backoff = { minMs, maxMs: minMs + more }
      const pause = backoffMs(failures, backoff)
      expect(pause).toBeGreaterThanOrEqual(minMs)
      expect(pause).toBeLessThanOrEqual(backoff.maxMs)
      expect(backoffMs(failures + 1, backoff)).toBeGreaterThanOrEqual(pause)
    }),
  )
})
