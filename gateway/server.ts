// The edge, composed. A request meets, in this order: the router (gateway/rest.ts, gateway/mcp.ts), the checks
// (gateway/admission.ts), and one of the two ways to the service (gateway/upstream/rest-proxy.ts,
// gateway/upstream/mcp-proxy.ts). The gateway holds no rows and no rule of the domain: all that it knows of operations
// is the contract.
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { operations as allOperations } from '#contract/api.ts'
import type { Operation } from '#contract/operation.ts'
import { routesOf } from '#contract/route.ts'
import { ranges } from '#runtime/ip-address.ts'
import { closeServer, endConnectionsWhen } from '#runtime/close-server.ts'
import { drainFor } from '#runtime/drain.ts'
import type { Process } from '#runtime/process.ts'
import { deriveKey } from '#runtime/sealing.ts'
import { readDescriptions, type Descriptions } from './downloads/openapi.ts'
import { serveHealth } from './health-endpoints.ts'
import { httpServer, type ReceiveTimeouts } from './listener.ts'
import { serveMcp } from './mcp.ts'
import { openPolicies, type PolicyParts } from './open-policies.ts'
import { servePublicRoutes } from './public-routes.ts'
import { openRequestLog, type RequestLog } from './request/request-log.ts'
import { handleErrors } from './responses/error-handler.ts'
import { commonHeaders } from './responses/response-headers.ts'
import { serveRoute, type Serving } from './rest.ts'
import { openAddressPool, type AddressPool, type Timing } from './upstream/address-pool.ts'
import { resolveAll, type Resolve } from './upstream/dns-resolution.ts'
import { openMcpProxy } from './upstream/mcp-proxy.ts'
import { defaultWaits, openOverloadProtection, type Waits } from './upstream/overload-protection.ts'
import { gatewayPrincipal, principalSigner, type SignPrincipal } from './upstream/principal.ts'
import { responseHeaders } from './upstream/proxy-headers.ts'
import { openProber } from './upstream/readiness-probe.ts'
import { openRestProxy, type Timeouts } from './upstream/rest-proxy.ts'
import { serviceClient } from './upstream/service-client.ts'

export type GatewayParts = PolicyParts & {
  readonly host: string
  /** 0: one that is free. */
  readonly port: number
  /** Addresses of the service, `http://host:port`. */
  readonly services: readonly string[]
  readonly internalSecret: string
  /** Addresses and ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  readonly brand: string
  /** Those of the contract, unless a test has its own. */
  readonly operations?: readonly Operation[]
  readonly timeouts?: Partial<AllTimeouts>
  /** How long it goes on serving after it was told to stop; 0 by default. */
  readonly drainSeconds?: number
  /** How names in `services` become addresses. */
  readonly resolve?: Resolve
  readonly probing?: Timing & { readonly probeWithinMs: number }
}
type AllTimeouts = Timeouts & ReceiveTimeouts & Waits
export type Gateway = Required<Process> & { readonly url: string; readonly port: number }

const defaultTimeouts: AllTimeouts = {
  ...{ connectMs: 1_000, headersMs: 30_000, bodyMs: 60_000, requestMs: 30_000 },
  ...defaultWaits,
}
/** An interval and two probes that nobody answers: a frozen service is found within two seconds. */
const defaultProbing = { probeEveryMs: 500, probeWithinMs: 700, resolveEveryMs: 2_000 }
const receiveHeadersMsMax = 10_000
const drainMs = 5_000
const closeMs = 20_000

export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { brand, log } = parts
  const descriptions = readDescriptions()
  const timeouts = { ...defaultTimeouts, ...parts.timeouts }
  const { begin: drain, isDraining } = drainFor(parts.drainSeconds ?? 0)
  let isClosing = false
  const isStopping = (): boolean => isDraining() || isClosing

  const signed = principalSigner(deriveKey(parts.internalSecret, 'principal'))
  const pool = await openPool(parts, signed)
  const service = serviceClient(pool, signed)
  const { policies, close: closePolicies } = openPolicies(parts, service)
  const overload = openOverloadProtection(timeouts)
  const trustedProxies = ranges(parts.trustedProxies)
  const serving = { policies, requestLog: openRequestLog(log, trustedProxies), overload, trustedProxies }

  const { requestMs } = timeouts
  const app = httpServer(brand, { requestMs, headersMs: Math.min(receiveHeadersMsMax, requestMs) })
  const closeProxies = await serveAll(app, { parts, descriptions, serving, pool, signed, timeouts, isStopping })
  await app.listen({ host: parts.host, port: parts.port })

  async function close(): Promise<void> {
    isClosing = true
    await untilServed(serving.requestLog, drainMs)
    await closeServer(app, closeMs - drainMs)
    closeProxies()
    overload.close()
    await closePolicies()
    await Promise.all([service.close(), pool.close()])
  }
  const { port } = app.server.address() as AddressInfo
  return { url: `http://${parts.host.includes(':') ? `[${parts.host}]` : parts.host}:${port}`, port, drain, close }
}

function openPool({ services, resolve, probing, log }: GatewayParts, signed: SignPrincipal): Promise<AddressPool> {
  const { probeWithinMs, ...timing } = probing ?? defaultProbing
  const prober = openProber((path) => signed(gatewayPrincipal(), 'GET', path), probeWithinMs)
  return openAddressPool({ urls: services, resolve: resolve ?? resolveAll, prober, log, timing })
}

type All = {
  readonly parts: GatewayParts
  readonly descriptions: Descriptions
  readonly serving: Serving
  readonly pool: AddressPool
  readonly signed: SignPrincipal
  readonly timeouts: Timeouts
  isStopping(): boolean
}

/** Returns what closes the connections to the service. */
async function serveAll(
  app: FastifyInstance,
  { parts, descriptions, serving, isStopping, ...upstream }: All,
): Promise<() => void> {
  const { brand, log, operations = allOperations } = parts
  const { overload, requestLog } = serving
  const routes = routesOf(operations)
  const forwardRest = await openRestProxy(app, upstream)
  const mcpProxy = openMcpProxy({
    ...{ ...upstream, isDraining: isStopping },
    toResponseHeaders: (headers) => responseHeaders(headers, commonHeaders),
  })
  handleErrors(app, { routes, requestLog, brand, log })
  endConnectionsWhen(app, isStopping)
  app.addHook('onRequest', (request, reply, done) => {
    overload.watchResponse(request.raw, reply.raw)
    done()
  })
  serveHealth(app, { isDraining: isStopping, isStuck: overload.isStuck, readiness: upstream.pool.readiness })
  servePublicRoutes(app, { descriptions, requestLog, trustedProxies: serving.trustedProxies })
  for (const route of routes) serveRoute(app, route, serving, forwardRest)
  serveMcp(app, serving, { operations, forward: mcpProxy.forward, brand, log })
  return mcpProxy.close
}

/** While calls run the listener stays open: a balancer sees `/ready` fail, and nobody is turned away. */
async function untilServed(requestLog: RequestLog, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs
  while (requestLog.inFlight() > 0 && Date.now() < deadline) await after(20)
}
