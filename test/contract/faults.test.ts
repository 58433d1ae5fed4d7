import { expect, test } from 'vitest'
import { Fault, faultCodes, isRetryable } from '#contract/faults/fault.ts'
import { rpcCodeOf, rpcCodes } from '#contract/faults/json-rpc.ts'

test('every code has a status that fits its kind, and only load, failures and what was cancelled may be retried', () => {
  for (const code of faultCodes) {
    const { status } = new Fault(code, '')
    expect(status).toBeGreaterThanOrEqual(400)
    if (isRetryable(code)) expect([408, 409, 429, 499, 500, 502, 503, 504]).toContain(status)
  }
})

test('only what has failed on our side has the number of that, and each limit has the number of limits', () => {
  for (const code of faultCodes) {
    const fault = new Fault(code, '')

    for (const otherwise of [rpcCodes.invalidRequest, rpcCodes.invalidParams]) {
      const number = rpcCodeOf(fault, otherwise)
      if (fault.status === 429) expect({ code, number }).toEqual({ code, number: rpcCodes.rateLimited })
      expect({ code, isOurs: number === rpcCodes.internalError }).toEqual({ code, isOurs: fault.status >= 500 })
    }
  }
})
