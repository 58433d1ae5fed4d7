// A permitted call, made ready for the service: path, head and body as they go out. How it is answered is the same for
// all of them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Agent } from 'undici'
import { browserHeader } from '#contract/internal/gateway-endpoints.ts'
import type { Fault } from '#contract/faults/fault.ts'
import { slotsMax } from '../overload/concurrent-calls-limit.ts'
import type { Body } from '../overload/request-bodies.ts'
import type { RequestContext } from '../request/request-context.ts'
import { pathOf } from '../request/target.ts'
import { addCallerHeaders } from './proxy-headers.ts'
import { headOf, ServiceCall, type OwnHeaders, type Upstream } from './service-call.ts'
import type { Admitted } from './signed-principal.ts'

export type Timeouts = { readonly connectMs: number; readonly headersMs: number; readonly bodyMs: number }
export const upstreamTimeouts: Timeouts = { connectMs: 1_000, headersMs: 30_000, bodyMs: 30_000 }

export const serviceAgent = ({ connectMs, headersMs, bodyMs }: Timeouts): Agent =>
  new Agent({
    connections: slotsMax,
    connect: { timeout: connectMs, rejectUnauthorized: true },
    headersTimeout: headersMs,
    bodyTimeout: bodyMs,
  })

export type Forwarding = {
  readonly context: RequestContext
  readonly body: Body
  readonly ownHeaders: OwnHeaders
  /** The cookie of a browser that is known to a service; null: none. */
  readonly browser?: string | null
  /** Takes what the call has cost the database, and returns the head's part with what is left; null where it is the same. */
  readonly charge?: ((databaseMs: number) => OwnHeaders | null) | undefined
  onStranded(): void
  /** Called where there is no answer, unless the caller has gone. */
  refuse(fault: Fault): void
}

export function outgoingCall(
  upstream: Upstream,
  request: IncomingMessage,
  response: ServerResponse,
  { principal, query, told = {} }: Admitted,
  { context, body, browser = null, onStranded }: Forwarding,
): ServiceCall {
  const { rawHeaders, headers, method = '', url = '' } = request
  const path = query === '' ? pathOf(url) : `${pathOf(url)}?${query}`
  const head = headOf(context.requestId)
  const length = body instanceof Buffer ? String(body.length) : headers['content-length']
  if (body !== null && length !== undefined) head.push('content-length', length)
  for (const name of Object.keys(told)) head.push(name, told[name] ?? '')
  addCallerHeaders(head, rawHeaders, { connection: headers.connection, hasContent: body !== null })
  if (browser !== null) head.push(browserHeader, browser)
  context.forwardedAt = performance.now()
  return new ServiceCall(upstream, { method, path, body, principal, head, context, response, onStranded })
}

/** Once the head of the service's answer is there. */
export function answer(
  call: ServiceCall,
  { complete }: Pick<IncomingMessage, 'complete'>,
  { context, ownHeaders, charge }: Pick<Forwarding, 'context' | 'ownHeaders' | 'charge'>,
  isStopping: boolean,
): void {
  const { list, ...more } = charge?.(call.databaseMs()) ?? ownHeaders
  context.answeredAt = performance.now()
  // Of a request that has not come to its end the rest is not waited for.
  const ends = isStopping || !complete
  call.answer({ list: ends ? [...list, 'connection', 'close'] : list, ...more })
}
