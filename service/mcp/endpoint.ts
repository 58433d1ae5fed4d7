// MCP over HTTP: older protocol versions and the current one at one address. The gateway has authorized the call; here
// it is split into batch, older version and current version, and all of them end in `execute`.
import type { KeyObject } from 'node:crypto'
import { Readable } from 'node:stream'
import { classifyInboundRequest, createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asFault } from '#contract/fault.ts'
import { rpcCodes } from '#contract/json-rpc-errors.ts'
import { mcpBodyBytesMax } from '#contract/size-limits.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { mcpPath } from '#contract/route-paths.ts'
import { routeNotFound } from '#contract/common-faults.ts'
import type { Execute } from '../execution/operation-request.ts'
import { faultOfFramework } from '../faults/framework-fault.ts'
import { principalOf, verifyPrincipal } from '../http/principal.ts'
import { nameOperation } from '../http/request-log.ts'
import { batchError, runBatch } from './json-rpc-batch.ts'
import { exchange, serverFor } from './sdk-server.ts'
import { errorAnswer, messageError, type Message } from './json-rpc-messages.ts'
import { paramsError } from './validate-params.ts'
import { operationIn } from './tools.ts'

const firstModernVersion = '2026-07-28'

export function serveMcp(app: FastifyInstance, execute: Execute, principalKey: KeyObject): void {
  const onRequest = verifyPrincipal(principalKey, assertIsForMcp)
  const limits = { bodyLimit: mcpBodyBytesMax, config: { operation: 'mcp' } }
  app.post(mcpPath, { ...limits, errorHandler: answerRpcError, onRequest }, async (request, reply) => {
    const principal = principalOf(request)
    const { body } = request
    nameOperation(request, operationIn(body) ?? 'mcp')
    if (Array.isArray(body)) return answerBatch(body, request, reply, principal, execute)
    const flaw = messageError(body) ?? paramsError(body as Message)
    if (flaw !== null) return reply.code(400).send(flaw)
    const { kind } = classifyInboundRequest(inbound(request))
    return kind === 'legacy'
      ? answerLegacy(body, reply, principal, execute)
      : answerModern(request, reply, principal, execute)
  })
}

function assertIsForMcp({ surface }: Principal): void {
  if (surface !== 'mcp') throw routeNotFound()
}

/** Invalid JSON is answered as a JSON-RPC error; any other error as everywhere. */
function answerRpcError(thrown: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  const fault = asFault(faultOfFramework(thrown))
  if (fault.code !== 'invalid_json') throw thrown
  const data = { code: fault.code, ...fault.members }
  void reply.code(fault.status).send(errorAnswer(null, rpcCodes.parseError, fault.message, data))
}

async function answerBatch(
  batch: readonly unknown[],
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal,
  execute: Execute,
) {
  const flaw = batchError(batch, isModern(request, batch))
  if (flaw !== null) return reply.code(400).send(flaw)
  const answers = await runBatch(batch, (message) => exchange(serverFor(principal, execute), message))
  return answers.length === 0 ? reply.code(202).send() : reply.send(answers)
}

async function answerLegacy(body: unknown, reply: FastifyReply, principal: Principal, execute: Execute) {
  const answer = await exchange(serverFor(principal, execute), body as Message)
  return answer === null ? reply.code(202).send() : reply.send(answer)
}

/** Serves the current version by the SDK's own handler. A caller that disconnects cancels its call. */
async function answerModern(request: FastifyRequest, reply: FastifyReply, principal: Principal, execute: Execute) {
  const { id = null, method } = (request.body ?? {}) as Partial<Message>
  if (method === 'subscriptions/listen')
    return reply.code(404).send(errorAnswer(id, rpcCodes.methodNotFound, 'Method not found'))
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const handler = createMcpHandler(() => serverFor(principal, execute), { legacy: 'reject' })
  const response = await handler.fetch(webRequest(request, gone.signal), { parsedBody: request.body })
  reply.code(response.status).headers(Object.fromEntries(response.headers))
  return response.body === null ? reply.send() : reply.send(Readable.fromWeb(response.body as never))
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
function isModern(request: FastifyRequest, batch: readonly unknown[]): boolean {
  const version = header(request, 'mcp-protocol-version') ?? ''
  return (
    version >= firstModernVersion ||
    batch.some((entry) => classifyInboundRequest({ httpMethod: 'POST', body: entry }).kind === 'modern')
  )
}

function webRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  return new Request(`http://service${mcpPath}`, { method: 'POST', headers, signal })
}
