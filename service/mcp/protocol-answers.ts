// The answer to one message: of the protocol versions before 2026-07-28 without a session, with JSON; of 2026-07-28 by
// the SDK's own handler, which compares headers with the message, and streams what is sent before the result.
import { Readable } from 'node:stream'
import {
  createMcpHandler,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type Server,
  type Transport,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tellRpcOutcome } from '../http/call-outcome.ts'
import { wantsAnswer, type Message } from './json-rpc.ts'
import { coded } from './rpc-errors.ts'

/** The number of these versions for a resource that does not exist; the SDK knows the one of 2026-07-28 alone. */
const resourceNotFound = -32_002

/** Returns null where no answer is wanted. What the message starts ends by the deadline of its server. */
export async function answerLegacy(message: Message, open: () => Server): Promise<object | null> {
  if (!wantsAnswer(message)) return null
  const server = open()
  const answer = Promise.withResolvers<object>()
  // What the SDK drops, it tells no one else: without this the client would wait for ever.
  Object.assign(server, { onerror: (error: Error) => answer.reject(error) })
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: async (sent) => {
      if ('error' in sent) answer.resolve(ofItsVersion(sent, message))
      else if ('result' in sent) answer.resolve(sent)
    },
  }
  await server.connect(transport)
  // `messageError` has judged it by the schema of this very type.
  transport.onmessage?.(message as JSONRPCMessage)
  // After an answer there is nothing left to end, and ending makes an error that costs as much as a look-up.
  return answer.promise.catch(async (error: unknown) => {
    await server.close()
    throw error
  })
}

function ofItsVersion(answer: JSONRPCErrorResponse, { method }: Message): JSONRPCErrorResponse {
  const { error } = answer
  const isMissing = method === 'resources/read' && (error.data as { uri?: unknown } | undefined)?.uri !== undefined
  return isMissing ? { ...answer, error: { ...error, code: resourceNotFound } } : answer
}

export type Listening = {
  readonly bus: ServerEventBus
  /** Aborted when the client disconnects, which is how this version ends a stream. */
  readonly gone: AbortSignal
  onOpen(close: () => Promise<void>): void
}

export async function answerModern(
  request: FastifyRequest,
  reply: FastifyReply,
  open: () => Promise<Server>,
  listening?: Listening,
): Promise<FastifyReply> {
  // What the SDK drops, it tells no one else: without this the client would wait for ever.
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  const result = Promise.withResolvers<object>()
  const handler = createMcpHandler(
    async () => {
      const server = withResultTaken(await open(), result.resolve)
      return Object.assign(server, { onerror: (error: Error) => failed.reject(error) })
    },
    { legacy: 'reject', ...(listening && { bus: listening.bus }) },
  )
  listening?.onOpen(handler.close)
  const served = handler.fetch(webRequest(request, listening?.gone), { parsedBody: request.body })
  const response = await Promise.race([result.promise, served, failed.promise])
  if (!(response instanceof Response)) {
    tellRpcOutcome(reply, [response])
    return reply.type('application/json').send(JSON.stringify(response))
  }
  reply.code(response.status).headers(Object.fromEntries(response.headers))
  if (response.body === null) return reply.send()
  const streams = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (streams) return reply.send(Readable.fromWeb(response.body as never))
  const text = await response.text()
  const answer = text === '' ? {} : (JSON.parse(text) as object)
  tellRpcOutcome(reply, [coded(answer, request.id)])
  // What the SDK refuses before any handler.
  return reply.send(response.status < 400 ? text : JSON.stringify(coded(answer, request.id)))
}

/**
 * Takes a result that nothing was sent before. The SDK would make a Response of it only for us to read it again, which
 * costs as much as the call. Its promise of one is then never kept, and nothing waits for it.
 */
function withResultTaken(server: Server, take: (message: object) => void): Server {
  const connect = server.connect.bind(server)
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport)
    let isStream = false
    transport.send = async (message, options) => {
      if (!isStream && 'result' in message) return take(message)
      isStream = true
      return send(message, options)
    }
    return connect(transport)
  }
  return server
}

/**
 * What the SDK looks at in a Request whose body is parsed already: one of Node's own costs as much as half a read of
 * the database. `signal`: of what lasts; all else ends by the deadline of its server, which knows when the client has
 * gone.
 */
function webRequest({ headers }: FastifyRequest, signal: AbortSignal | undefined): Request {
  const get = (name: string): string | null => [headers[name.toLowerCase()]].flat()[0] ?? null
  return { method: 'POST', headers: { get }, ...(signal && { signal }) } as unknown as Request
}
