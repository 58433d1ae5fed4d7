// Errors of a message as JSON-RPC errors with the code and the members that HTTP callers get. Every error carries a
// code of the catalogue and the request's id, also one that the SDK has made, or the form of a message.
import { ProtocolError } from '@modelcontextprotocol/server'
import { Fault, asFault, type FaultCode } from '#contract/faults/fault.ts'
import { rpcCodeOf, rpcCodes } from '#contract/faults/json-rpc.ts'

/** The SDK's message about a result that no tool may have is a dump of its schema. */
const isDump = ({ message }: ProtocolError): boolean => message.startsWith('Invalid tools/call result')

/** Is it an error that callers may see as it is? */
export const isMeant = (thrown: unknown): thrown is ProtocolError | Fault =>
  thrown instanceof Fault || (thrown instanceof ProtocolError && !isDump(thrown))

/** Errors that are made for the protocol pass; of anything unknown, only the request's id is told. */
export function protocolErrorOf(thrown: unknown, requestId: string): ProtocolError {
  if (thrown instanceof ProtocolError && isMeant(thrown)) return withData(thrown, requestId)
  const fault = asFault(thrown)
  return new ProtocolError(rpcCodeOf(fault, rpcCodes.invalidParams), fault.message, dataOf(fault, requestId))
}

const withData = (error: ProtocolError, requestId: string): ProtocolError =>
  error.data === undefined ? new ProtocolError(error.code, error.message, dataFor(error.code, requestId)) : error

export const dataOf = ({ code, members }: Fault, requestId: string) => ({ code, ...members, requestId })

/** Clients know what to do with an error that is a JSON-RPC error of this resource's URI. */
export const resourceMissing = (fault: Fault, uri: string, requestId: string): ProtocolError =>
  new ProtocolError(rpcCodes.invalidParams, fault.message, { uri, ...dataOf(fault, requestId) })

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
const dataFor = (number: number, requestId: string) => ({
  code: codes.get(number) ?? 'validation_failed',
  requestId,
})

const asMembers = (data: unknown): object =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {}
