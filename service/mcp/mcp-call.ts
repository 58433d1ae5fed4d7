// One POST to the MCP endpoint: who calls and with what wishes, until when, and a server for each of its messages.
import type { Server } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asFault } from '#contract/faults/fault.ts'
import { rpcCodeOf, rpcCodes } from '#contract/faults/json-rpc.ts'
import type { Execute } from '../execution/operation-request.ts'
import { principalOf } from '../http/principal.ts'
import type { Caller, Exchange } from '../mcp-tools/exchange.ts'
import { callerOf } from './caller-options.ts'
import { exchangeMsMax, openDeadline, type Deadline } from './deadline.ts'
import type { McpFeatures } from './features.ts'
import { errorAnswer, type Message } from './json-rpc-messages.ts'
import { legacyExchange } from './legacy-exchange.ts'
import { dataOf } from './rpc-faults.ts'
import { serverFor, type ServerParts } from './sdk-server.ts'
import { namingFor } from './tool-naming.ts'
import { traceContextOf } from './trace-context.ts'

export type CallParts = {
  readonly features: McpFeatures
  readonly execute: Execute
  /** For tests: how long an exchange may take. */
  readonly deadlineMs?: number
}
type ServerOptions = Partial<Pick<ServerParts, 'instructions' | 'canStream' | 'canSubscribe'>>

export type McpCall = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
  readonly execute: Execute
  readonly deadline: Deadline
  /** The SDK's server for this one message. */
  open(message: Message, options?: ServerOptions): Server
  /** Empty for messages whose answer does not hold them. */
  instructionsFor(message: Message): Promise<string>
  onUnexpected(error: unknown): void
}

export function openMcpCall(request: FastifyRequest, reply: FastifyReply, parts: CallParts): McpCall {
  const { features, execute, deadlineMs = exchangeMsMax } = parts
  const caller = callerOf(principalOf(request), request.headers, namingFor(request.headers, request.body))
  const deadline = openDeadline(deadlineMs)
  reply.raw.once('close', () => deadline.close(reply.raw.writableFinished))
  const onUnexpected = (err: unknown) => request.log.error({ err, requestId: request.id }, 'MCP message failed')
  const exchangeOf = (message: Message): Exchange => {
    const trace = traceContextOf(message)
    return { caller, execute, signal: deadline.signal, ...(trace && { trace }) }
  }
  return {
    ...{ request, reply, caller, execute, deadline, onUnexpected },
    open: (message, options) =>
      serverFor(message.method, {
        ...{ instructions: '', canStream: false, canSubscribe: false, ...options },
        ...{ features, exchange: exchangeOf(message), deadline, onUnexpected },
      }),
    instructionsFor: async (message) =>
      message.method === 'initialize' || message.method === 'server/discover'
        ? deadline.race(() => features.instructions(exchangeOf(message)))
        : '',
  }
}

/** A message of the versions before 2026-07-28. Never rejects: in a batch, other entries wait for their answers. */
export async function serveLegacy(message: Message, call: McpCall, options?: ServerOptions): Promise<object | null> {
  try {
    return await legacyExchange(message, () => call.open(message, options))
  } catch (thrown) {
    call.onUnexpected(thrown)
    const fault = asFault(thrown)
    const data = dataOf(fault, call.caller.principal.requestId)
    return errorAnswer(message.id ?? null, rpcCodeOf(fault, rpcCodes.internalError), fault.message, data)
  }
}
