// Every error carries a code of the catalogue and the request's id, also one that the SDK has made, or the form of a message.
import type { FaultCode } from '#contract/faults/fault.ts'
import { rpcCodes } from '#contract/faults/json-rpc.ts'

/** Of the numbers that stand for no single fault: what an error means that has said no more. */
const codes: ReadonlyMap<number, FaultCode> = new Map([
  [rpcCodes.parseError, 'invalid_json'],
  [rpcCodes.methodNotFound, 'route_not_found'],
  [rpcCodes.invalidParams, 'invalid_parameter'],
  [rpcCodes.internalError, 'internal_error'],
  // MCP's own: a header that does not fit the message, and a version that is not served.
  [-32_020, 'invalid_header'],
  [-32_022, 'invalid_header'],
])

type ErrorMembers = { readonly code: number; readonly data?: unknown }

/** Returns any other answer as it is. */
export function coded(answer: object, requestId: string): object {
  if (!('error' in answer)) return answer
  // Both makers of errors, the SDK and errorAnswer, give them this form.
  const error = answer.error as ErrorMembers
  return { ...answer, error: { ...error, data: { ...dataFor(error.code, requestId), ...asMembers(error.data) } } }
}

/** `number`: the JSON-RPC code of the error. */
export const dataFor = (number: number, requestId: string) => ({
  code: codes.get(number) ?? 'validation_failed',
  requestId,
})

const asMembers = (data: unknown): object =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {}
