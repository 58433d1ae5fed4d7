// JSON-RPC 2.0 as MCP narrows it: the messages, which of them are invalid, batches, and error responses, in sentences
// of our own. The last word on what is valid has the SDK's own schema: what that rejects, the SDK would drop without an
// answer.
import {
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResponseSchema,
  CallToolRequestParamsSchema,
  CompleteRequestParamsSchema,
  GetPromptRequestParamsSchema,
  InitializeRequestParamsSchema,
  PaginatedRequestParamsSchema,
  ReadResourceRequestParamsSchema,
  SubscriptionsListenRequestParamsSchema,
} from '@modelcontextprotocol/core'
import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/server'
import { rpcCodes, mcpBatchCallsMax, mcpBatchConcurrency } from '#contract/faults/json-rpc.ts'

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

// JSON-RPC batches, which MCP no longer has and older clients send. Each entry is served by itself, so that an invalid
// one does not fail the others; four run at a time, and none begins after the batch was stopped.

/** The error for a batch that is refused as a whole; null where its entries may be served. */
export function batchError(batch: readonly unknown[], isModern: boolean): ErrorAnswer | null {
  if (isModern) return errorAnswer(null, rpcCodes.invalidRequest, 'This protocol version has no batches.')
  if (batch.length === 0) return errorAnswer(null, rpcCodes.invalidRequest, 'The batch is empty.')
  if (batch.length <= mcpBatchCallsMax) return null
  return errorAnswer(null, rpcCodes.invalidRequest, `A batch can have at most ${mcpBatchCallsMax} entries.`, {
    limit: mcpBatchCallsMax,
  })
}

/** Returns the answers in the order of the entries; notifications have none. */
export async function runBatch(
  batch: readonly unknown[],
  serve: (message: Message) => Promise<object | null>,
): Promise<object[]> {
  const twice = repeatedIds(batch)
  const answers = await mapPooled(batch, mcpBatchConcurrency, async (entry) => {
    const invalid = entryError(entry, twice)
    if (invalid !== null) return invalid
    // `entryError` has judged it by the schema of this very type.
    const message = entry as Message
    return wantsAnswer(message) ? serve(message) : null
  })
  return answers.filter((answer) => answer !== null)
}

function entryError(entry: unknown, twice: ReadonlySet<Id>): ErrorAnswer | null {
  const invalid = messageError(entry)
  if (invalid !== null) return invalid
  const id = idOf(entry)
  if (id === null) return null
  if (twice.has(id)) return errorAnswer(id, rpcCodes.invalidRequest, 'Two entries have this id.')
  const { method } = entry as Message
  return method === 'initialize' ? errorAnswer(id, rpcCodes.invalidRequest, '`initialize` must stand alone.') : null
}

// 1 and "1" are different ids, as they are different keys of a Set. The id of a posted response is no entry's own.
function repeatedIds(batch: readonly unknown[]): ReadonlySet<Id> {
  const asked = batch.filter((entry) => (entry as Partial<Message> | null)?.method !== undefined)
  const ids = asked.flatMap((entry) => idOf(entry) ?? [])
  return new Set(ids.filter((id, at) => ids.indexOf(id) !== at))
}

async function mapPooled<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = Array.from({ length: items.length })
  const queue = items.entries()
  const worker = async () => {
    for (const [at, item] of queue) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}

// Sentences for what the SDK's schemas find wrong: their own messages are written for programmers.
type Issue = NonNullable<ReturnType<(typeof JSONRPCRequestSchema)['safeParse']>['error']>['issues'][number]

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
const placeLengthMax = 120

/** `within`: where in the message the validated value is. */
function describeIssue(issue: Issue, within: readonly PropertyKey[]): string {
  const path = [...within, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `\`${bounded([...path, key])}\``)
    return `${names.slice(0, 3).join(', ')} ${names.length === 1 ? 'has' : 'have'} no place in this message.`
  }
  return path.length === 0
    ? 'Not a JSON-RPC message.'
    : `\`${bounded(path)}\` must be ${expected(issue) ?? 'of the form that MCP gives it'}.`
}

function expected(issue: Issue): string | null {
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? null
  if (issue.code === 'invalid_value') return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
  if (issue.code !== 'invalid_union') return null
  const options = issue.errors.map(([first]) => (first?.path.length === 0 ? expected(first) : null))
  return options.includes(null) || options.length === 0 ? null : options.join(' or ')
}

const bounded = (path: readonly PropertyKey[]): string => path.map(String).join('.').slice(0, placeLengthMax)

// The parameters of each method, validated by the SDK's own schemas to tell what the SDK has refused: its own words are
// a dump of them.
type ParamsSchema = {
  safeParse(value: unknown): { readonly error?: { readonly issues: readonly Issue[] } | undefined }
}

const schemas = new Map<string, ParamsSchema>([
  ['initialize', InitializeRequestParamsSchema],
  ['tools/list', PaginatedRequestParamsSchema],
  ['tools/call', CallToolRequestParamsSchema],
  ['resources/list', PaginatedRequestParamsSchema],
  ['resources/templates/list', PaginatedRequestParamsSchema],
  ['resources/read', ReadResourceRequestParamsSchema],
  ['prompts/list', PaginatedRequestParamsSchema],
  ['prompts/get', GetPromptRequestParamsSchema],
  ['completion/complete', CompleteRequestParamsSchema],
  ['subscriptions/listen', SubscriptionsListenRequestParamsSchema],
])

/** Returns what is wrong with the parameters, in a sentence; null where they are valid. */
export function paramsError(method: string, params: object = {}): string | null {
  const [issue] = schemas.get(method)?.safeParse(params).error?.issues ?? []
  return issue === undefined ? null : describeIssue(issue, ['params'])
}
