import { expect, test } from 'vitest'
import { Fault, faultCodes, isRetryable } from '#contract/faults/fault.ts'

test('every code has a status that fits its kind, and only load, failures and what was cancelled may be retried', () => {
  for (const code of faultCodes) {
    const { status } = new Fault(code, '')
    expect(status).toBeGreaterThanOrEqual(400)
    if (isRetryable(code)) expect([408, 409, 429, 499, 500, 502, 503, 504]).toContain(status)
  }
})
