import { expect, test } from 'vitest'
import { Fault, faultCodes } from '#contract/faults/fault.ts'
import { rpcCodeOf, rpcCodes } from '#contract/faults/json-rpc.ts'

test('only what has failed on our side has the number of that, and each limit has the number of limits', () => {
  for (const code of faultCodes) {
    const fault = new Fault(code, '')

    for (const otherwise of [rpcCodes.invalidRequest, rpcCodes.invalidParams, rpcCodes.internalError]) {
      const number = rpcCodeOf(fault, otherwise)
      if (fault.status === 429) expect({ code, number }).toEqual({ code, number: rpcCodes.rateLimited })
      if (fault.status >= 500) expect({ code, number }).toEqual({ code, number: rpcCodes.internalError })
      else if (otherwise !== rpcCodes.internalError)
        expect({ code, number }).not.toEqual({ code, number: rpcCodes.internalError })
    }
  }
})
