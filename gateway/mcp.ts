// POST /api/mcp: the body is read once and judged, and the very bytes that were judged go on to the service. Every
// refusal is a JSON-RPC error.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '#contract/fault.ts'
import { mcpBodyBytesMax } from '#contract/size-limits.ts'
import type { Operation } from '#contract/operation.ts'
import { mcpPath } from '#contract/route.ts'
import type { Log } from '#runtime/log.ts'
import { admitMcpCalls, admitToMcp } from './admission.ts'
import { discardRest, readBody } from './request/read-body.ts'
import type { ForwardMcp } from './upstream/mcp-proxy.ts'
import { incoming } from './request/incoming-call.ts'
import { mcpPolicyHeader, quotaHeader, refusalHeaders } from './responses/response-headers.ts'
import { idIn, judge } from './policies/mcp-body.ts'
import { rpcError, type RpcId } from './responses/json-rpc-error.ts'
import { faultOf } from './responses/problem-details.ts'
import type { Serving } from './rest.ts'
import type { Trace } from './request/request-log.ts'

/** A larger body is not read only to echo the id of a call that is refused anyway. */
const idSearchBytesMax = 16 * 1024
const noBody = Buffer.alloc(0)

export type McpParts = {
  readonly operations: readonly Operation[]
  readonly forward: ForwardMcp
  readonly brand: string
  readonly log: Log
}

export function serveMcp(app: FastifyInstance, serving: Serving, { operations, forward, brand, log }: McpParts): void {
  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const trace = serving.running.begin(request.raw, reply.raw, request.id, mcpPath)
    const call = incoming(request, trace)
    // On the raw answer: the proxy writes to that, and knows nothing of Fastify's headers.
    reply.raw.setHeader('ratelimit-policy', mcpPolicyHeader(serving.policies.limits.rates))
    let body: Buffer | null | undefined
    try {
      const key = await admitToMcp(call, serving.policies)
      body = await readBody(request.raw, mcpBodyBytesMax, serving.traffic.holder(key.id, reply.raw))
      const judged = judge(body, operations)
      const admitted = await admitMcpCalls(call, key, judged, serving.policies)
      const onStranded = await serving.traffic.enter(admitted.principal, trace.left, reply.raw)
      await forward(reply, body ?? noBody, admitted, trace, onStranded)
      return reply
    } catch (thrown) {
      serving.policies.denials.note(thrown, { call, surface: 'mcp', operation: null })
      if (trace.left.aborted) return reply.hijack()
      const fault = faultOf(thrown, trace.requestId, log)
      const id = idIn(body === undefined ? await smallBody(request) : (body ?? noBody))
      return sendRpcError(reply, fault, id, trace, brand)
    }
  }
  app.route({ method: 'POST', url: mcpPath, handler: handle })
}

export function sendRpcError(
  reply: FastifyReply,
  fault: Fault,
  id: RpcId,
  { quota, requestId }: Pick<Trace, 'quota' | 'requestId'>,
  brand: string,
): FastifyReply {
  discardRest(reply.request.raw)
  if (quota !== null) reply.header('ratelimit', quotaHeader(quota))
  return reply
    .code(fault.status)
    .headers(refusalHeaders(fault, brand))
    .send(rpcError(fault, id, requestId))
}

async function smallBody({ raw, headers }: FastifyRequest): Promise<Buffer> {
  const length = Number(headers['content-length'] ?? Infinity)
  if (length > idSearchBytesMax) return noBody
  return (await readBody(raw, idSearchBytesMax).catch(() => null)) ?? noBody
}
