// A gateway in front of stand-in services, and plain ways to call it.
import { startGateway, type GatewayOptions } from '../../../gateway/server.ts'
import { memoryRateLimiter, type Rates } from '../../../gateway/rate-limit/limiter.ts'
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import { logger } from '#runtime/log.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { answerOk, internalSecret, recordOf, standIn } from './service.ts'

/** So much that only tests of the limit meet it. */
export const amply: Rates = {
  key: { perMinute: 60_000, burst: 10_000 },
  workspace: { perMinute: 60_000, burst: 10_000 },
}

/** So many calls of a key, and next to none come back. */
export const atMost = (calls: number): Rates => ({ ...amply, key: { perMinute: 1, burst: calls } })

export const operatorToken = 'the-operator-token-of-these-tests-0123456789'

export type Edge = Awaited<ReturnType<typeof startEdge>>

export async function startEdge(more: Partial<GatewayOptions> = {}) {
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
  return {
    gateway,
    service,
    call: caller(gateway.url),
    announce: (change: KeyChange) => on.message(JSON.stringify(change)),
    /** As a broadcast that cannot be read: every key is asked for again. */
    forgetKeys: () => on.message('?'),
    [Symbol.asyncDispose]: async () => {
      await gateway.close()
      await service.close()
    },
  }
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
  // Its parts are there once it has started.
  return { edge: new Proxy({} as Edge, { get: (_none, part) => Reflect.get(started, part) as unknown }), token }
}

/** `404 route_not_found`, or `200` where the body has no code. */
export const statusAndCode = ({ status, body }: { status: number; body: { code?: string } | null }): string =>
  [status, body?.code].join(' ').trim()

type Asked = { token?: string; body?: unknown; headers?: Record<string, string> }
const caller =
  (url: string) =>
  async (method: string, path: string, { token, body, headers }: Asked = {}) => {
    const type = body !== undefined && { 'content-type': 'application/json' }
    const authorization = token !== undefined && { authorization: `Bearer ${token}` }
    const content = body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(url + path, { method, ...content, headers: { ...type, ...authorization, ...headers } })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
