// JSON-RPC 2.0 as MCP narrows it: the messages, which of them are invalid, and error responses.
import { rpcCodes } from '#contract/json-rpc-errors.ts'

export type Id = string | number
export type Message = { readonly jsonrpc: '2.0'; readonly id?: Id; readonly method: string; readonly params?: object }
export type ErrorAnswer = {
  readonly jsonrpc: '2.0'
  readonly id: Id | null
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export const errorAnswer = (id: Id | null, code: number, message: string, data?: unknown): ErrorAnswer => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
})

/** The error response to an invalid message; null where the message is valid. */
export function messageError(message: unknown): ErrorAnswer | null {
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return errorAnswer(null, rpcCodes.invalidRequest, 'Not a JSON-RPC message.')
  const { jsonrpc, id, method, params } = message as Record<string, unknown>
  const readable = isId(id) ? id : null
  if ('id' in message && readable === null)
    return errorAnswer(null, rpcCodes.invalidRequest, 'An id is a string or a whole number.')
  if (jsonrpc !== '2.0') return errorAnswer(readable, rpcCodes.invalidRequest, '`jsonrpc` must be "2.0".')
  if (isResponse(message)) return null
  if (typeof method !== 'string') return errorAnswer(readable, rpcCodes.invalidRequest, '`method` must be a string.')
  if (Array.isArray(params)) return errorAnswer(readable, rpcCodes.invalidParams, '`params` must be an object.')
  if (params !== undefined && (typeof params !== 'object' || params === null))
    return errorAnswer(readable, rpcCodes.invalidRequest, '`params` must be an object.')
  return null
}

/** False for notifications and posted responses, which are accepted and not answered. */
export const wantsAnswer = (message: Message): boolean => message.id !== undefined && !isResponse(message)

const isResponse = (message: object): boolean => !('method' in message) && ('result' in message || 'error' in message)

const isId = (id: unknown): id is Id => typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))
