// What is thrown while a message is served, as a JSON-RPC error with the code and the members that HTTP callers get.
import { ProtocolError, type CallToolResult } from '@modelcontextprotocol/server'
import { Fault, asFault } from '#contract/fault.ts'
import { rpcCodeOf, rpcCodes } from '#contract/json-rpc-errors.ts'
import type { Caller } from '../mcp-tools/exchange.ts'

/** What the SDK says of a result that no tool may have is a dump of its schema. */
const isDump = ({ message }: ProtocolError): boolean => message.startsWith('Invalid tools/call result')

/** Is it an error that callers may see as it is? */
export const isMeant = (thrown: unknown): thrown is ProtocolError | Fault =>
  thrown instanceof Fault || (thrown instanceof ProtocolError && !isDump(thrown))

/** Errors that are made for the protocol pass; of anything unknown, only the request's id is told. */
export function protocolErrorOf(thrown: unknown, requestId: string): ProtocolError {
  if (thrown instanceof ProtocolError && isMeant(thrown)) return thrown
  const fault = asFault(thrown)
  return new ProtocolError(rpcCodeOf(fault, rpcCodes.invalidParams), fault.message, dataOf(fault, requestId))
}

export const dataOf = ({ code, members }: Fault, requestId: string) => ({ code, ...members, requestId })

/** Clients know what to do with an error that is a JSON-RPC error of this resource's URI. */
export const resourceMissing = (fault: Fault, uri: string, requestId: string): ProtocolError =>
  new ProtocolError(rpcCodes.invalidParams, fault.message, { uri, ...dataOf(fault, requestId) })

/** A tool call that was stopped, for the model to read. */
export function stoppedResult(fault: Fault, { principal, hasStructuredContent }: Caller): CallToolResult {
  const data = dataOf(fault, principal.requestId)
  const text = `${fault.code}: ${fault.message} ${fault.members.hint ?? ''}\nrequestId: ${principal.requestId}`
  return {
    isError: true,
    content: [{ type: 'text', text }],
    ...(hasStructuredContent && { structuredContent: { ...data, detail: fault.message } }),
  }
}
