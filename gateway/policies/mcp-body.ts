// What an MCP body asks for, read once: how many calls it charges, whether the limit may refuse it, and which scope a
// single tool call needs. Everything finer (each entry of a batch, each argument) is the service's to judge.
import { Fault, type FaultMembers } from '#contract/fault.ts'
import { mcpBatchCallsMax, mcpBodyBytesMax } from '#contract/size-limits.ts'
import type { Operation } from '#contract/operation.ts'
import type { Scope } from '#contract/scope.ts'
import { tooLarge } from './content-headers.ts'
import { tokensFor } from './body-cost.ts'
import { InvalidRequest, type RpcId } from '../responses/json-rpc-error.ts'

/**
 * `handshake`: opens a session. A client that is refused these falls back to an older protocol, so they count as calls
 * while there are any left, and are refused by a limit of their own alone.
 */
type Asked =
  | { readonly fault: Fault; readonly calls: 1; readonly handshake: false }
  | {
      readonly fault: null
      readonly calls: number
      readonly handshake: boolean
      readonly scope: Scope | null
      readonly body: Buffer
    }
/** `tokens`: one for each call, or more where the body is a large one. */
export type Judged = Asked & { readonly tokens: number }

/** Null for a body that was too large to read. */
export function judge(body: Buffer | null, operations: readonly Operation[]): Judged {
  const asked = askedIn(body, operations)
  return { ...asked, tokens: Math.max(asked.calls, tokensFor(body?.length ?? mcpBodyBytesMax)) }
}

function askedIn(body: Buffer | null, operations: readonly Operation[]): Asked {
  if (body === null) return unfit(tooLarge(mcpBodyBytesMax))
  const message = parsed(body)
  if (message === undefined) return unfit(new Fault('invalid_json', 'The body is not valid JSON.'))
  if (Array.isArray(message)) return judgeBatch(message, body)
  if (!isObject(message))
    return unfit(invalid('validation_failed', 'Send a JSON-RPC request, or an array of requests.'))
  const handshake = message['method'] === 'initialize' || message['method'] === 'server/discover'
  return { fault: null, calls: 1, handshake, scope: scopeOf(message, operations), body }
}

/** The id to answer with: that of a single readable request. */
export function idIn(body: Buffer): RpcId {
  const message = parsed(body)
  if (!isObject(message)) return null
  const { id } = message
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null
}

function judgeBatch(entries: readonly unknown[], body: Buffer): Asked {
  if (entries.length === 0) return unfit(invalid('validation_failed', 'An empty batch asks for nothing.'))
  if (entries.length <= mcpBatchCallsMax)
    return { fault: null, calls: entries.length, handshake: false, scope: null, body }
  return unfit(invalid('too_many_items', `A batch has at most ${mcpBatchCallsMax} calls.`, { limit: mcpBatchCallsMax }))
}

/** What cannot be served still counts as one call. */
const unfit = (fault: Fault): Asked => ({ fault, calls: 1, handshake: false })

const invalid = (code: 'validation_failed' | 'too_many_items', detail: string, members?: FaultMembers): Fault =>
  new InvalidRequest(code, detail, members)

function scopeOf(message: Record<string, unknown>, operations: readonly Operation[]): Scope | null {
  if (message['method'] !== 'tools/call' || !isObject(message['params'])) return null
  const { name } = message['params']
  return operations.find((operation) => operation.tool !== undefined && operation.name === name)?.scope ?? null
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
