// MCP over HTTP: older protocol versions and the current one at one address. The gateway has authorized the call; here
// it is split into batch, older version and current version, and all of them end in `execute`.
import type { KeyObject } from 'node:crypto'
import { classifyInboundRequest, type Server } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asFault } from '#contract/fault.ts'
import { rpcCodeOf, rpcCodes } from '#contract/json-rpc-errors.ts'
import { mcpBodyBytesMax } from '#contract/size-limits.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { mcpPath } from '#contract/route-paths.ts'
import { calledTool } from '#contract/tools/catalogue.ts'
import { routeNotFound } from '#contract/common-faults.ts'
import type { Execute } from '../execution/operation-request.ts'
import { faultOfFramework } from '../faults/framework-fault.ts'
import { principalOf, verifyPrincipal } from '../http/principal.ts'
import { nameOperation } from '../http/request-log.ts'
import type { Caller } from '../mcp-tools/exchange.ts'
import { callerOf } from './caller-options.ts'
import { exchangeMsMax, notStarted, openDeadline, type Deadline } from './deadline.ts'
import type { McpFeatures } from './features.ts'
import { batchError, runBatch } from './json-rpc-batch.ts'
import { errorAnswer, idOf, messageError, type Message } from './json-rpc-messages.ts'
import { legacyExchange } from './legacy-exchange.ts'
import { answerModern } from './modern-exchange.ts'
import { firstModernVersion, versionError, versionHeader } from './protocol-versions.ts'
import { dataOf } from './rpc-faults.ts'
import { serverFor } from './sdk-server.ts'
import { traceContextOf } from './trace-context.ts'

export type McpParts = {
  readonly features: McpFeatures
  readonly execute: Execute
  readonly principalKey: KeyObject
  /** For tests: how long an exchange may take. */
  readonly deadlineMs?: number
}
type Call = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
  readonly gone: AbortSignal
  readonly deadline: Deadline
  /** The SDK's server for this one message. */
  open(message: Message, instructions?: string): Server
}

export function serveMcp(app: FastifyInstance, parts: McpParts): void {
  const onRequest = verifyPrincipal(parts.principalKey, assertIsForMcp)
  const limits = { bodyLimit: mcpBodyBytesMax, config: { operation: 'mcp' } }
  app.post(mcpPath, { ...limits, errorHandler: answerRpcError, onRequest }, async (request, reply) => {
    const { body } = request
    nameOperation(request, calledTool(body)?.tool.name ?? 'mcp')
    const flaw = versionError(request.headers, body)
    if (flaw !== null) return reply.code(400).send(flaw)
    const call = openCall(request, reply, parts)
    return Array.isArray(body) ? answerBatch(body, call) : answerMessage(body, call, parts)
  })
}

function assertIsForMcp({ surface }: Principal): void {
  if (surface !== 'mcp') throw routeNotFound()
}

/** What is refused before any message is served; errors of the service itself are answered as everywhere. */
function answerRpcError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const fault = asFault(faultOfFramework(thrown))
  if (fault.code !== 'invalid_json' && fault.code !== 'invalid_header') throw thrown
  const code = rpcCodeOf(fault, rpcCodes.invalidRequest)
  void reply.code(fault.status).send(errorAnswer(idOf(request.body), code, fault.message, dataOf(fault, request.id)))
}

function openCall(request: FastifyRequest, reply: FastifyReply, parts: McpParts): Call {
  const { features, execute, deadlineMs = exchangeMsMax } = parts
  const caller = callerOf(principalOf(request), request.headers, 'dots')
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const deadline = openDeadline(deadlineMs, gone.signal)
  const onUnexpected = (err: unknown) => request.log.error({ err, requestId: request.id }, 'MCP message failed')
  const open = (message: Message, instructions = '') => {
    const trace = traceContextOf(message)
    const exchange = { caller, execute, signal: deadline.signal, ...(trace && { trace }) }
    return serverFor({ features, exchange, deadline, instructions, onUnexpected })
  }
  return { request, reply, caller, gone: gone.signal, deadline, open }
}

async function answerBatch(batch: readonly unknown[], { request, reply, caller, deadline, open }: Call) {
  const flaw = batchError(batch, isModern(request, batch))
  if (flaw !== null) return reply.code(400).send(flaw)
  const stopped = dataOf(notStarted(), caller.principal.requestId)
  const answers = await runBatch(batch, async (message) =>
    deadline.signal.aborted
      ? errorAnswer(message.id ?? null, rpcCodes.internalError, notStarted().message, stopped)
      : legacyExchange(message, () => open(message)),
  )
  return answers.length === 0 ? reply.code(202).send() : reply.send(answers)
}

async function answerMessage(body: unknown, call: Call, parts: McpParts) {
  const { request, reply, gone } = call
  const flaw = messageError(body)
  if (flaw !== null) return reply.code(400).send(flaw)
  // `messageError` has judged it.
  const message = body as Message
  const { kind } = classifyInboundRequest(inbound(request))
  const instructions = await instructionsFor(message, call, parts)
  if (kind !== 'legacy') return answerModern(request, reply, gone, async () => call.open(message, instructions))
  const answer = await legacyExchange(message, () => call.open(message, instructions))
  return answer === null ? reply.code(202).send() : reply.send(answer)
}

function instructionsFor({ method }: Message, { caller, deadline }: Call, { features, execute }: McpParts) {
  const isHandshake = method === 'initialize' || method === 'server/discover'
  return isHandshake ? features.instructions({ caller, execute, signal: deadline.signal }) : ''
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
