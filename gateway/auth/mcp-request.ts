// An MCP request by its body: how many calls it counts as, and which scope a single tool call needs. The service checks
// all that is finer: each entry of a batch, each argument.
import { Fault, type FaultMembers } from '#contract/faults/fault.ts'
import { mcpBatchCallsMax, mcpBatchObjectsMax, mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'
import type { Scope } from '#contract/scopes.ts'
import { calledTool } from '#contract/tools/catalogue.ts'
import { clientNameIn } from '#contract/tools/names.ts'
import { callsIn, scopeOfCall } from '#contract/tools/tool.ts'
import { readTraceparent } from '#runtime/tracing/trace-context.ts'
import { isObject, parsedJson } from '../request/body.ts'
import { isId } from '../request/request-head.ts'
import { tooLarge } from '../overload/request-bodies.ts'

/**
 * `fault`: why the body cannot be served; it still counts as one call. `handshake`: opens a session. `scope` is null
 * when no scope can be told from the body. `tool`: the one that is called. `opensStream`: its answer lasts as long as
 * the caller likes. `maySendEvents`: something may be sent before its result. `client`: the name that the sender gives
 * itself. `showsNames`: the answer shows names of tools. `trace`: the one that the message says it belongs to.
 * `objectId`: the argument `id` of the tool, where it is one. `changes`: it calls a tool that does more than read.
 */
export type McpRequest =
  | { readonly fault: Fault; readonly calls: 1; readonly handshake: false }
  | ({ readonly fault: null; readonly calls: number; readonly handshake: boolean } & McpNeeds)
type McpNeeds = {
  readonly tool: string | null
  readonly scope: Scope | null
  readonly opensStream: boolean
  readonly maySendEvents: boolean
  readonly client: string | null
  readonly showsNames: boolean
  readonly trace: McpTrace | null
  readonly objectId: string | null
  readonly changes: boolean
}

/** `body` is null when it was too large to read. */
export function checkMcpBody(body: Buffer | null): McpRequest {
  if (body === null) return refused(tooLarge(mcpBodyBytesMax))
  const message = parsedJson(body)
  if (message === undefined) return refused(new Fault('invalid_json', 'The body is not valid JSON.'))
  if (Array.isArray(message)) return checkBatch(message)
  if (!isObject(message))
    return refused(invalid('validation_failed', 'Send a JSON-RPC request, or an array of requests.'))
  const handshake = opensSession(message)
  const [client, showsNames] = [clientNameIn(message), handshake || hasNames(message)]
  const opensStream = message['method'] === 'subscriptions/listen'
  const maySendEvents = opensStream || asksForProgress(message['params'])
  const called = calledTool(message)
  const tool = called?.tool.name ?? null
  const objectId = idIn(called?.args['id'])
  const trace = traceIn(message['params'])
  const wants = {
    scope: scopeOf(message),
    tool,
    opensStream,
    maySendEvents,
    client,
    showsNames,
    trace,
    objectId,
    changes: changesSomething(message),
  }
  return { fault: null, calls: callsOf(message), handshake, ...wants }
}

const namingMethods: ReadonlySet<unknown> = new Set(['tools/list', 'prompts/get'])
const hasNames = (message: unknown): boolean => isObject(message) && namingMethods.has(message['method'])

const changesSomething = (message: unknown): boolean => calledTool(message)?.tool.hints.readOnly === false

/** Whatever else stands there, such as a key, is not the id of an object. */
const idIn = (value: unknown): string | null => (typeof value === 'string' && isId(value) ? value.toLowerCase() : null)

function asksForProgress(params: unknown): boolean {
  const meta = isObject(params) ? params['_meta'] : undefined
  return isObject(meta) && meta['progressToken'] !== undefined
}

type McpTrace = readonly [traceparent: string, tracestate: string | undefined]

/** W3C Trace Context, which MCP carries in `_meta`. It says more than that of the request, which may carry others. */
function traceIn(params: unknown): McpTrace | null {
  const meta = isObject(params) ? params['_meta'] : undefined
  if (!isObject(meta)) return null
  const { traceparent, tracestate } = meta
  const known = readTraceparent(traceparent)
  return known === null ? null : [known, typeof tracestate === 'string' ? tracestate : undefined]
}

const opensSession = (message: unknown): boolean =>
  isObject(message) && (message['method'] === 'initialize' || message['method'] === 'server/discover')

function checkBatch(entries: readonly unknown[]): McpRequest {
  if (entries.length === 0) return refused(invalid('validation_failed', 'An empty batch asks for nothing.'))
  if (entries.length > mcpBatchCallsMax)
    return refused(tooMany(`A batch can have at most ${mcpBatchCallsMax} calls.`, mcpBatchCallsMax))
  const calls = callsOfAll(entries)
  // More would be told to come again for ever.
  if (calls > mcpBatchObjectsMax)
    return refused(tooMany(`The calls of a batch act on at most ${mcpBatchObjectsMax} objects.`, mcpBatchObjectsMax))
  const wants = { scope: null, tool: null, opensStream: false, maySendEvents: false }
  return {
    fault: null,
    calls,
    handshake: false,
    ...wants,
    client: null,
    showsNames: entries.some(hasNames),
    trace: null,
    objectId: null,
    changes: entries.some(changesSomething),
  }
}

const tooMany = (detail: string, limit: number): Fault => invalid('too_many_items', detail, { limit })

/** What cannot be served still counts as one call. */
const refused = (fault: Fault): McpRequest => ({ fault, calls: 1, handshake: false })

/** A body that no JSON-RPC server can serve: always status 400, whatever HTTP alone would call it. */
class InvalidRequest extends Fault {
  override get status(): number {
    return 400
  }
}

const invalid = (code: 'validation_failed' | 'too_many_items', detail: string, members?: FaultMembers): Fault =>
  new InvalidRequest(code, detail, members)

function scopeOf(message: Record<string, unknown>): Scope | null {
  const called = calledTool(message)
  return called === null ? null : scopeOfCall(called.tool, called.args)
}

/** A tool that works on many objects counts as a call for each of them. */
function callsOf(message: unknown): number {
  const called = calledTool(message)
  return called === null ? 1 : callsIn(called.tool, called.args)
}

const callsOfAll = (entries: readonly unknown[]): number =>
  entries.reduce<number>((sum, entry) => sum + callsOf(entry), 0)
