// JSON-RPC 2.0 as MCP narrows it: the messages, which of them are invalid, and error responses. The last word on what is
// valid has the SDK's own schema: what that rejects, the SDK would drop without an answer.
import { JSONRPCNotificationSchema, JSONRPCRequestSchema, JSONRPCResponseSchema } from '@modelcontextprotocol/core'
import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/server'
import { rpcCodes } from '#contract/faults/json-rpc.ts'
import { describeIssue } from './schema-issues.ts'

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

/** The id to answer an invalid message with; null where none can be read. */
export function idOf(message: unknown): Id | null {
  const { id } = (message ?? {}) as { readonly id?: unknown }
  return isId(id) ? id : null
}

/** The error response to an invalid message; null where the message is valid. */
export function messageError(message: unknown): ErrorAnswer | null {
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return errorAnswer(null, rpcCodes.invalidRequest, 'Not a JSON-RPC message.')
  const { jsonrpc, id, method, params } = message as Record<string, unknown>
  const readable = isId(id) ? id : null
  if ('id' in message && readable === null)
    return errorAnswer(null, rpcCodes.invalidRequest, 'An id is a string or a whole number.')
  if (jsonrpc !== '2.0') return errorAnswer(readable, rpcCodes.invalidRequest, '`jsonrpc` must be "2.0".')
  if (isResponse(message)) return schemaError(message, readable)
  if (typeof method !== 'string') return errorAnswer(readable, rpcCodes.invalidRequest, '`method` must be a string.')
  if (Array.isArray(params)) return errorAnswer(readable, rpcCodes.invalidParams, '`params` must be an object.')
  if (params !== undefined && (typeof params !== 'object' || params === null))
    return errorAnswer(readable, rpcCodes.invalidRequest, '`params` must be an object.')
  return schemaError(message, readable)
}

/** False for notifications and posted responses, which are accepted and not answered. */
export const wantsAnswer = (message: Message): boolean => message.id !== undefined && !isResponse(message)

function schemaError(message: object, id: Id | null): ErrorAnswer | null {
  if (isPlain(message)) return null
  const request = 'id' in message ? JSONRPCRequestSchema : JSONRPCNotificationSchema
  const schema = isResponse(message) ? JSONRPCResponseSchema : request
  const [issue] = schema.safeParse(message).error?.issues ?? []
  if (issue === undefined) return null
  const code = issue.path[0] === 'params' ? rpcCodes.invalidParams : rpcCodes.invalidRequest
  return errorAnswer(id, code, describeIssue(issue, []))
}

const plainMembers: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])

/** Most messages have nothing that is left for the schema to judge, which takes time. */
function isPlain(message: object): boolean {
  const { _meta: meta } = ((message as { readonly params?: unknown }).params ?? {}) as { readonly _meta?: unknown }
  return 'method' in message && Object.keys(message).every((name) => plainMembers.has(name)) && isPlainMeta(meta)
}

const isPlainMeta = (meta: unknown): boolean =>
  meta === undefined ||
  (typeof meta === 'object' &&
    meta !== null &&
    !Array.isArray(meta) &&
    !('progressToken' in meta || RELATED_TASK_META_KEY in meta))

const isResponse = (message: object): boolean => !('method' in message) && ('result' in message || 'error' in message)

const isId = (id: unknown): id is Id => typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))
