// A gateway in front of stand-in services, and plain ways to call it.
import { startGateway, type Gateway, type GatewayOptions } from '../../../gateway/server.ts'
import { memoryRateLimiter, type Rates } from '../../../gateway/rate-limit/limiter.ts'
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import { logger } from '#runtime/log.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { answerOk, internalSecret, recordOf, standIn, type StandIn } from './service.ts'

/** So much that only tests of the limit meet it. */
export const amply: Rates = {
  key: { perMinute: 60_000, burst: 10_000 },
  workspace: { perMinute: 60_000, burst: 10_000 },
}

/** So many calls of a key, and next to none come back. */
export const atMost = (calls: number): Rates => ({ ...amply, key: { perMinute: 1, burst: calls } })

export const operatorToken = 'the-operator-token-of-these-tests-0123456789'

type Answer = { readonly status: number; readonly headers: Headers; readonly body: Body }
// What a test expects of a body is what it asserts.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any
type Call = (
  method: string,
  path: string,
  options?: { token?: string; body?: unknown; headers?: Record<string, string> },
) => Promise<Answer>

export type Edge = {
  readonly gateway: Gateway
  readonly service: StandIn
  readonly call: Call
  /** As the broadcast line would. */
  announce(change: KeyChange): void
  /** As a broadcast that cannot be read: every key is asked for again. */
  forgetKeys(): void
  [Symbol.asyncDispose](): Promise<void>
}

export async function startEdge(more: Partial<GatewayOptions> = {}): Promise<Edge> {
  const service = await standIn()
  let on = { message: (_text: string) => {} }
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    services: [service.url],
    internalSecret,
    operatorToken,
    trustedProxies: [],
    publicUrl: null,
    allowedOrigins: [],
    brand: 'service',
    log: logger('silent', 'gateway'),
    rateLimiter: memoryRateLimiter(amply),
    failedCredentialsPerMinute: 60,
    listen: (listener) => {
      on = listener
      return { isConnected: () => true, close: async () => {} }
    },
    ...more,
  })
  const edge: Edge = {
    gateway,
    service,
    call: caller(gateway.url),
    announce: (change) => on.message(JSON.stringify(change)),
    forgetKeys: () => on.message('?'),
    [Symbol.asyncDispose]: async () => {
      await gateway.close()
      await service.close()
    },
  }
  return edge
}

/** One for all tests of a file, with a key. At the beginning of each the service has had no calls and answers well. */
export function edgeOfFile(more: Partial<GatewayOptions> = {}): { readonly edge: Edge; readonly token: string } {
  const { token } = makeToken('wsk')
  let started: Edge
  beforeAll(async () => {
    started = await startEdge(more)
    started.service.know(token, recordOf())
  })
  afterAll(() => started[Symbol.asyncDispose]())
  beforeEach(() => {
    started.service.calls.splice(0)
    Object.assign(started.service, { cancelled: 0, respond: answerOk, beforeBody: () => {} })
  })
  const edge: Edge = {
    get gateway() {
      return started.gateway
    },
    get service() {
      return started.service
    },
    call: (...asked) => started.call(...asked),
    announce: (change) => started.announce(change),
    forgetKeys: () => started.forgetKeys(),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
  return { edge, token }
}

/** `404 route_not_found`, or `200` where the body has no code. */
export const statusAndCode = ({ status, body }: { status: number; body: { code?: string } | null }): string =>
  [status, body?.code].join(' ').trim()

const caller =
  (url: string): Call =>
  async (method, path, { token, body, headers = {} } = {}) => {
    const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(url + path, { method, ...content, headers: { ...type, ...authorization, ...headers } })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
