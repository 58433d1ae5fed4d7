// What is thrown while a message is served, as a JSON-RPC error with the code and the members that HTTP callers get.
import { ProtocolError } from '@modelcontextprotocol/server'
import { Fault, asFault } from '#contract/faults/fault.ts'
import { rpcCodeOf, rpcCodes } from '#contract/faults/json-rpc.ts'
import { dataFor } from './coded-errors.ts'

/** What the SDK says of a result that no tool may have is a dump of its schema. */
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
