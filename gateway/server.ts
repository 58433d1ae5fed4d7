// The edge, composed. A request meets, in this order: whoever takes it (gateway/api-calls.ts, then Fastify's routes:
// gateway/settings-calls.ts, gateway/mcp.ts), the checks (gateway/auth/admission.ts), and one of the ways to the service
// (gateway/upstream/direct-proxy.ts, rest-proxy.ts, event-proxy.ts). The gateway holds no rows and no rule of the domain:
// all that it knows of operations is the contract.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { operations as contractOperations } from '#contract/api.ts'
import { principalHeader } from '#contract/internal/principal.ts'
import type { Operation } from '#contract/operation.ts'
import { routesOf } from '#contract/route-paths.ts'
import { ranges } from '#runtime/ip-address.ts'
import type { MetricSource } from '#runtime/metrics/metric.ts'
import { closeServer, drainFor } from '#runtime/close-server.ts'
import type { Process } from '#runtime/process.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { apiCalls } from './api-calls.ts'
import { installedConsole } from './console/built-files.ts'
import { installedDescriptions } from './downloads/openapi.ts'
import { httpServer, refuseAnother, refusedConnections, type ReceiveTimeouts } from './listener.ts'
import { gatewaySource } from './metrics/gateway-source.ts'
import { requestMetrics } from './metrics/request-metrics.ts'
import { openPolicies, type PolicyDeps } from './auth/policies.ts'
import { keptRefusals, type SharedRefusals } from './refusals/kept-refusals.ts'
import { openRequestLog } from './request/request-log.ts'
import { serveAll } from './routes.ts'
import { defaultTiming, openAddressPool, type AddressPool, type Timing } from './upstream/address-pool.ts'
import { resolveAll, type Resolve } from './upstream/dns-resolution.ts'
import { defaultCallerBounds, limitConnections, type CallerBounds } from './overload/address-limits.ts'
import { defaultWaits, openOverloadProtection, type Waits } from './overload/overload-protection.ts'
import { gatewayPrincipal, principalSigner, type SignPrincipal } from './upstream/signed-principal.ts'
import { defaultProbeWithinMs, openProber } from './upstream/readiness-probe.ts'
import { serviceAgent, upstreamTimeouts, type Timeouts } from './upstream/outgoing-call.ts'
import { directProxy } from './upstream/direct-proxy.ts'
import { serviceClient } from './upstream/service-client.ts'

export type GatewayParts = PolicyDeps &
  Partial<CallerBounds> & {
    /** 0: one that is free. */
    readonly port: number
    /** Addresses of the service, `http://host:port`. */
    readonly services: readonly string[]
    readonly internalSecret: string
    /** Addresses and ranges whose X-Forwarded-For is believed. */
    readonly trustedProxies: readonly string[]
    readonly brand: string
    /** Where all gateways keep refusals; without it each has its own. */
    readonly refusals?: SharedRefusals
    /** Those of the contract, unless a test has its own. */
    readonly operations?: readonly Operation[]
    readonly timeouts?: Partial<AllTimeouts>
    /** How long it goes on serving after it was told to stop; 0 by default. */
    readonly drainSeconds?: number
    /** How names in `services` become addresses. */
    readonly resolve?: Resolve
    readonly probing?: Timing & { readonly probeWithinMs: number }
  }
type AllTimeouts = Timeouts & Pick<ReceiveTimeouts, 'requestMs'> & Waits
export type Gateway = Required<Process> & {
  readonly url: string
  readonly port: number
  readonly metrics: MetricSource
}

const defaultTimeouts: AllTimeouts = {
  ...upstreamTimeouts,
  requestMs: 30_000,
  ...defaultWaits,
}
const receiveHeadersMsMax = 10_000
const drainMs = 5_000
const closeMs = 20_000

export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { brand, log, operations = contractOperations } = parts
  const [descriptions, consoleFiles] = [installedDescriptions(), installedConsole()]
  const timeouts = { ...defaultTimeouts, ...parts.timeouts }
  const { begin: drain, isDraining } = drainFor(parts.drainSeconds ?? 0)
  let isClosing = false
  const isStopping = (): boolean => isDraining() || isClosing

  const signed = principalSigner(deriveKey(parts.internalSecret, 'principal'))
  const pool = await openPool(parts, signed)
  const service = serviceClient(pool, signed)
  const trustedProxies = ranges(parts.trustedProxies)
  const bounds = { ...defaultCallerBounds, ...parts }
  const overload = openOverloadProtection(timeouts, bounds, trustedProxies)
  const { policies, activity, close: closePolicies } = openPolicies(parts, service, overload.streams)
  const routes = routesOf(operations)
  const requests = requestMetrics(routes)
  const refusals = keptRefusals(parts.refusals ?? null)
  const requestLog = openRequestLog(log, trustedProxies, (request) => {
    activity.count(request, requests.observe(request))
    if (request.fault !== null) refusals.record({ ...request, fault: request.fault })
  })
  const serving = { policies, requestLog, overload, trustedProxies, refusals }

  const { requestMs } = timeouts
  const keepAliveMs = bounds.keepAliveSeconds * 1_000
  const upstream = { agent: serviceAgent(timeouts), pool, signed }
  const forward = directProxy(upstream, isStopping)
  const take = apiCalls(routes, { serving, forward, brand, log, isStopping })
  const headersMs = Math.min(receiveHeadersMsMax, requestMs)
  const app = httpServer(brand, { requestMs, headersMs, keepAliveMs }, take)
  limitConnections(app.server, bounds, trustedProxies, refuseAnother)
  const closeProxies = await serveAll(app, {
    ...{ brand, log, routes, descriptions, consoleFiles, serving, upstream, timeouts, isStopping },
  })
  await app.listen({ host: parts.host, port: parts.port })

  async function close(): Promise<void> {
    isClosing = true
    await untilServed(app.server, () => requestLog.inFlight() - overload.streams.count(), drainMs)
    overload.streams.endAll()
    await closeServer(app, closeMs - drainMs)
    closeProxies()
    await upstream.agent.destroy()
    overload.close()
    await closePolicies()
    await Promise.all([service.close(), pool.close(), refusals.close()])
  }
  const { port } = app.server.address() as AddressInfo
  const url = `http://${parts.host.includes(':') ? `[${parts.host}]` : parts.host}:${port}`
  return {
    url,
    port,
    drain,
    close,
    metrics: gatewaySource({ requests, requestLog, pool, overload, refusals, ...policies, refusedConnections }),
  }
}

function openPool({ services, resolve, probing, log }: GatewayParts, signed: SignPrincipal): Promise<AddressPool> {
  const { probeWithinMs, ...timing } = probing ?? { ...defaultTiming, probeWithinMs: defaultProbeWithinMs }
  const prober = openProber((path) => ({ [principalHeader]: signed(gatewayPrincipal(), 'GET', path) }), probeWithinMs)
  return openAddressPool({ urls: services, resolve: resolve ?? resolveAll, prober, log, timing })
}

/**
 * While calls run the listener stays open, and nobody is turned away. Connections without a call are closed meanwhile:
 * nobody has sent one on them while the gateway said that it is about to stop.
 */
async function untilServed(server: Server, calls: () => number, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs
  while (calls() > 0 && Date.now() < deadline) {
    await after(20)
    server.closeIdleConnections()
  }
}
