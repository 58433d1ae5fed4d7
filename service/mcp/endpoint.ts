// MCP over HTTP: older protocol versions and the current one at one address. The gateway has authorized the call; here
// it is split into batch, older version and current version, and all of them end in `execute`.
import type { KeyObject } from 'node:crypto'
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY, type Server } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { routeNotFound, Fault, asFault } from '#contract/faults/fault.ts'
import { rpcCodeOf, rpcCodes, mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'
import { detailOf } from '#contract/internal/api-calls.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { mcpPath } from '#contract/route-paths.ts'
import { calledTool } from '#contract/tools/catalogue.ts'
import { noteRefusal } from '#runtime/refusal.ts'
import type { Execute } from '../execution/call.ts'
import { tellOutcome, tellRpcOutcome } from '../http/call-outcome.ts'
import { faultOfFramework } from '../http/error-response.ts'
import { verifyPrincipal, principalOf } from '../http/principal.ts'
import { countedFor, nameOperation } from '../http/request-log.ts'
import { joinTraceOfMessage } from '../http/request-trace.ts'
import {
  firstModernVersion,
  versionError,
  versionHeader,
  newSessionId,
  traceContextOf,
  callerOf,
  namingFor,
} from './caller.ts'
import { notStarted, callMsMax, openDeadline, type Deadline } from './deadline.ts'
import type { McpFeatures } from './features.ts'
import { batchError, runBatch, errorAnswer, idOf, messageError, type Message } from './json-rpc.ts'
import { answerModern, answerLegacy } from './protocol-answers.ts'
import { coded, dataOf } from './rpc-errors.ts'
import { takesEventStream, serverFor, type McpServerDeps } from './sdk-server.ts'
import { maySubscribe, openSubscriptions, type SubscriptionBounds, type Subscriptions } from './subscriptions.ts'
import type { Caller, Exchange, ReadFile } from './tools/runner.ts'

export type McpDeps = McpCallDeps & {
  readonly principalKey: KeyObject
  /** Aborted when the service is about to close, before it waits for its calls. */
  readonly closing: AbortSignal
  /** For tests. */
  readonly streamBounds?: SubscriptionBounds
}

export function serveMcp(app: FastifyInstance, parts: McpDeps): void {
  const onRequest = verifyPrincipal(parts.principalKey, assertIsForMcp)
  const streams = openSubscriptions(parts.closing, parts.streamBounds)
  const limits = { bodyLimit: mcpBodyBytesMax, config: { operation: 'mcp', itemPlaces } }
  app.post(mcpPath, { ...limits, errorHandler: answerRpcError, onRequest }, (request, reply) =>
    countedFor(reply, () => serve(request, reply)),
  )

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { body } = request
    nameOperation(request, calledTool(body)?.tool.name ?? 'mcp')
    const invalid = versionError(request.headers, body)
    if (invalid !== null) return sendAnswer(coded(invalid, request.id), reply.code(400))
    withoutNullArguments(body)
    const call = openMcpCall(request, reply, parts)
    return Array.isArray(body) ? answerBatch(body, call) : answerMessage(body, call, streams)
  }
}

/** Clients that have none send null for the arguments of a call. */
function withoutNullArguments(body: unknown): void {
  for (const message of [body].flat()) {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { arguments?: unknown } | null }
    if (method === 'tools/call' && params?.arguments === null) delete params.arguments
  }
}

/** In the call of a tool, alone or in a batch of messages. */
const inCall = ['params', 'arguments', 'items', '*']
const itemPlaces = [inCall, ['*', ...inCall]]

function assertIsForMcp({ surface }: Principal): void {
  if (surface !== 'mcp') throw routeNotFound()
}

/** Answers what ends a request before any message is served, or for a reason that was not foreseen. */
function answerRpcError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const fault = asFault(faultOfFramework(thrown))
  if (fault.status >= 500) request.log.error({ err: fault.cause ?? fault, requestId: request.id }, 'request failed')
  noteRefusal(reply.raw, fault.code)
  tellOutcome(reply, { code: fault.code, detail: detailOf(fault) })
  const code = rpcCodeOf(fault, rpcCodes.invalidRequest)
  void reply.code(fault.status).send(errorAnswer(idOf(request.body), code, fault.message, dataOf(fault, request.id)))
}

function sendAnswer(answer: object, reply: FastifyReply): FastifyReply {
  tellRpcOutcome(reply, [answer])
  return reply.send(answer)
}

async function answerBatch(batch: readonly unknown[], call: McpCall) {
  const { request, reply, caller, deadline } = call
  const invalid = batchError(batch, isModern(request, batch))
  if (invalid !== null) return sendAnswer(coded(invalid, request.id), reply.code(400))
  const stopped = dataOf(notStarted(), caller.principal.requestId)
  const answers = await runBatch(batch, async (message) =>
    deadline.signal.aborted
      ? errorAnswer(message.id ?? null, rpcCodes.internalError, notStarted().message, stopped)
      : serveLegacy(message, call),
  )
  const coding = answers.map((each) => coded(each, request.id))
  tellRpcOutcome(reply, coding)
  return answers.length === 0 ? reply.code(202).send() : reply.send(coding)
}

async function answerMessage(body: unknown, call: McpCall, streams: Subscriptions) {
  const { request, reply } = call
  const invalid = messageError(body)
  if (invalid !== null) return sendAnswer(coded(invalid, request.id), reply.code(400))
  // `messageError` has judged it.
  const message = body as Message
  const trace = traceContextOf(message)
  if (trace !== undefined) joinTraceOfMessage(request, trace.traceparent, trace.tracestate)
  const instructions = await call.instructionsFor(message)
  if (!isLegacy(message, request)) return serveModern(message, call, streams, instructions)
  const sessionId = message.method === 'initialize' ? newSessionId(message) : null
  if (sessionId !== null) reply.header('mcp-session-id', sessionId)
  const answer = await serveLegacy(message, call, { instructions })
  return answer === null ? reply.code(202).send() : sendAnswer(coded(answer, request.id), reply)
}

function serveModern(message: Message, call: McpCall, streams: Subscriptions, instructions: string) {
  const { request, reply, caller, execute, readFile } = call
  const options = { instructions, canStream: takesEventStream(request.headers), canSubscribe: maySubscribe(caller) }
  const open = async () => call.open(message, options)
  if (message.method !== 'subscriptions/listen' || !options.canSubscribe) return answerModern(request, reply, open)
  let close = () => Promise.resolve()
  const stream = streams.open({ caller, execute, readFile }, () => {
    void close()
  })
  if (stream === null) return reply.send(tooManyStreams(message, caller))
  const gone = new AbortController()
  reply.raw.once('close', () => {
    stream.end()
    gone.abort()
  })
  return answerModern(request, reply, open, { bus: stream.bus, gone: gone.signal, onOpen: (end) => (close = end) })
}

function tooManyStreams({ id }: Message, { principal }: Caller) {
  const fault = new Fault('unavailable', 'Too many subscriptions are open.', { retryAfterSeconds: 30 })
  return errorAnswer(id ?? null, rpcCodes.internalError, fault.message, dataOf(fault, principal.requestId))
}

/** The SDK's classification validates the message three times over. One that claims its version needs none of it. */
function isLegacy({ method, params }: Message, request: FastifyRequest): boolean {
  const { _meta } = (params ?? {}) as { readonly _meta?: object }
  const isClaim = method !== 'initialize' && _meta !== undefined && Object.hasOwn(_meta, PROTOCOL_VERSION_META_KEY)
  return !isClaim && classifyInboundRequest(inbound(request)).kind === 'legacy'
}

const header = ({ headers }: FastifyRequest, name: string): string | undefined => [headers[name]].flat()[0]

function inbound(request: FastifyRequest) {
  const named = {
    protocolVersionHeader: header(request, 'mcp-protocol-version'),
    mcpMethodHeader: header(request, 'mcp-method'),
    mcpNameHeader: header(request, 'mcp-name'),
  }
  const present = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
  return { httpMethod: 'POST', body: request.body, ...present }
}

/** A batch that says in its header, or in one of its entries, that it speaks the current version. */
function isModern({ headers }: FastifyRequest, batch: readonly unknown[]): boolean {
  return (
    (versionHeader(headers) ?? '') >= firstModernVersion ||
    batch.some((entry) => classifyInboundRequest({ httpMethod: 'POST', body: entry }).kind === 'modern')
  )
}

type McpCallDeps = {
  readonly features: McpFeatures
  readonly execute: Execute
  readonly readFile: ReadFile
  /** For tests: how long an exchange may take. */
  readonly deadlineMs?: number
}
type ServerOptions = Partial<Pick<McpServerDeps, 'instructions' | 'canStream' | 'canSubscribe'>>

/** One POST: its caller with their wishes, its deadline, and a server for each of its messages. */
type McpCall = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
  readonly execute: Execute
  readonly readFile: ReadFile
  readonly deadline: Deadline
  /** The SDK's server for this one message. */
  open(message: Message, options?: ServerOptions): Server
  /** Empty for messages whose answer does not hold them. */
  instructionsFor(message: Message): Promise<string>
  onUnexpected(error: unknown): void
}

function openMcpCall(request: FastifyRequest, reply: FastifyReply, parts: McpCallDeps): McpCall {
  const { features, execute, readFile, deadlineMs = callMsMax } = parts
  const caller = callerOf(principalOf(request), request.headers, namingFor(request.headers, request.body))
  const deadline = openDeadline(deadlineMs)
  reply.raw.once('close', () => deadline.close(reply.raw.writableFinished))
  const onUnexpected = (err: unknown) => request.log.error({ err, requestId: request.id }, 'MCP message failed')
  const exchangeOf = (message: Message): Exchange => {
    const trace = traceContextOf(message)
    return { caller, execute, readFile, signal: deadline.signal, ...(trace && { trace }) }
  }
  return {
    request,
    reply,
    caller,
    execute,
    readFile,
    deadline,
    onUnexpected,
    open: (message, options) =>
      serverFor(message.method, {
        instructions: '',
        canStream: false,
        canSubscribe: false,
        ...options,
        features,
        exchange: exchangeOf(message),
        deadline,
        onUnexpected,
      }),
    instructionsFor: async (message) =>
      message.method === 'initialize' || message.method === 'server/discover'
        ? deadline.race(() => features.instructions(exchangeOf(message)))
        : '',
  }
}

/** A message of the versions before 2026-07-28. Never rejects: in a batch, other entries wait for their answers. */
async function serveLegacy(message: Message, call: McpCall, options?: ServerOptions): Promise<object | null> {
  try {
    return await answerLegacy(message, () => call.open(message, options))
  } catch (thrown) {
    call.onUnexpected(thrown)
    const fault = asFault(thrown)
    const data = dataOf(fault, call.caller.principal.requestId)
    return errorAnswer(message.id ?? null, rpcCodeOf(fault, rpcCodes.internalError), fault.message, data)
  }
}
