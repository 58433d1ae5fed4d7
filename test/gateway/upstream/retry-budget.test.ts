import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryBudget, savedMax } from '../../../gateway/upstream/address-pool.ts'

test('of whatever calls, no more than a tenth is sent again, besides what was saved up', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('call', 'retry'), { maxLength: 2_000 }), (events) => {
      const budget = retryBudget()
      let [calls, retries] = [0, 0]
      for (const event of events) {
        if (event === 'call') {
          budget.count()
          calls += 1
        } else if (budget.take()) retries += 1
      }
      expect(retries).toBeLessThanOrEqual(savedMax + calls * 0.1 + 1e-6)
    }),
  )
})

test('where every call is sent again, each tenth one may be in the end', () => {
  const budget = retryBudget()
  for (let at = 0; at < savedMax; at++) expect([budget.left(), budget.take()]).toEqual([savedMax - at, true])
  expect(budget.left()).toBe(0)
  let retries = 0

  for (let at = 0; at < 1_000; at++) {
    budget.count()
    if (budget.take()) retries += 1
  }

  expect(retries).toBeGreaterThanOrEqual(99)
  expect(retries).toBeLessThanOrEqual(100)
})
