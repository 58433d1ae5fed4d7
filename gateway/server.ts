// The edge, composed: read from top to bottom. A request meets the code that takes it (gateway/calls/api.ts, else
// Fastify's routes of gateway/calls/settings.ts and gateway/calls/mcp.ts), the checks (gateway/auth/admission.ts), and
// the one way to the service (gateway/upstream/proxy.ts). The gateway holds no rows and no rule of the domain: all that
// it knows of operations is the contract.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { operations as contractOperations, streams, transfers as contractTransfers } from '#contract/api.ts'
import type { Operation } from '#contract/operation.ts'
import { routesOf, type Route } from '#contract/route-paths.ts'
import { closeServer, endConnectionsWhen } from '#runtime/close-server.ts'
import { drainFor } from '#runtime/close-server.ts'
import { ranges } from '#runtime/ip-address.ts'
import type { MetricSource } from '#runtime/metrics/metric.ts'
import { openFilesMax } from '#runtime/open-files.ts'
import type { Process } from '#runtime/process.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import type { Tracing } from '#runtime/tracing/tracing.ts'
import { apiCalls } from './calls/api.ts'
import type { GatewayDeps } from './calls/gateway-deps.ts'
import { serveMcp } from './calls/mcp.ts'
import { serveSettings, serveSettingsStream } from './calls/settings.ts'
import { installedConsole, serveConsole } from './downloads/console.ts'
import { installedDescriptions } from './downloads/openapi.ts'
import { serveDownloads } from './downloads/routes.ts'
import { serveHealth } from './health.ts'
import { httpServer, refuseAnother, refusedConnections, type ReceiveTimeouts } from './listener.ts'
import { gatewaySource } from './metrics/gateway-metrics.ts'
import { requestMetrics } from './metrics/request-metrics.ts'
import { openAdmissionDeps, type AdmissionOptions } from './auth/admission-deps.ts'
import {
  connectionsThatFit,
  defaultCallerBounds,
  limitConnections,
  type CallerBounds,
} from './overload/address-limits.ts'
import { defaultWaits, openOverloadProtection, type Waits } from './overload/overload-protection.ts'
import { keptRefusals, type SharedRefusals } from './refusals/kept-refusals.ts'
import { openRequestLog, type ObserveRequest } from './request/request-log.ts'
import { handleErrors } from './responses/error-handler.ts'
import { defaultTiming, openAddressPool, type AddressPool, type Timing } from './upstream/address-pool.ts'
import { resolveAll, type Resolve } from './upstream/dns-resolution.ts'
import { openProxy, upstreamTimeouts, type Timeouts } from './upstream/proxy.ts'
import { defaultProbeWithinMs, openProber, serviceClient, trustIn } from './upstream/service-client.ts'
import { principalSigner, type SignPrincipal } from './upstream/signed-principal.ts'

export type GatewayOptions = AdmissionOptions &
  Partial<CallerBounds> & {
    /** 0: one that is free. */
    readonly port: number
    /** Addresses of the service, `http://host:port`. */
    readonly services: readonly string[]
    /** The authorities of their certificates, in PEM. Null, or left out: those that Node trusts. */
    readonly serviceCa?: string | null
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
    /** How many files the process may have open; null: any number. Left out: what the system says. */
    readonly openFiles?: number | null
    /** Null, or left out: no spans are recorded. */
    readonly tracing?: Tracing | null
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

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { brand, log, operations = contractOperations } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const bounds = boundsThatFit(options)
  const { begin: drain, isDraining } = drainFor(options.drainSeconds ?? 0)
  let isClosing = false
  const isStopping = (): boolean => isDraining() || isClosing

  const signed = principalSigner(deriveKey(options.internalSecret, 'principal'))
  const pool = await openPool(options, signed)
  const trust = trustIn(options.serviceCa ?? null)
  const service = serviceClient(pool, signed, trust)
  const proxy = openProxy({ pool, signed, trust, timeouts, isStopping })

  const trustedProxies = ranges(options.trustedProxies)
  const overload = openOverloadProtection(timeouts, bounds, trustedProxies)
  const { policies, activity, apiLog, close: closePolicies } = openAdmissionDeps(options, service, overload.streams)
  const transfers = options.operations === undefined ? contractTransfers : []
  const routes = routesOf([...operations, ...transfers.map(({ asked }) => asked)])
  const requests = requestMetrics(routes)
  const refusals = keptRefusals(options.refusals ?? null)
  const observe: ObserveRequest = (request) => {
    const route = requests.observe(request)
    activity.count(request, route)
    apiLog.record(request, route)
    if (request.fault !== null) refusals.record({ ...request, fault: request.fault })
  }
  const requestLog = openRequestLog(log, trustedProxies, observe, options.tracing ?? null)

  const deps = { policies, overload, proxy, requestLog, refusals, trustedProxies, brand, log, isStopping }
  const app = httpServer(brand, receiveTimeouts(timeouts, bounds), apiCalls(routes, transfers, deps), requestLog)
  limitConnections(app.server, bounds, trustedProxies, refuseAnother)
  await serveRoutes(app, routes, pool, deps)
  await app.listen({ host: options.host, port: options.port })
  const { port } = app.server.address() as AddressInfo

  async function close(): Promise<void> {
    isClosing = true
    await untilServed(app.server, () => requestLog.inFlight() - overload.streams.count(), drainMs)
    overload.streams.endAll()
    await closeServer(app, closeMs - drainMs)
    await proxy.close()
    overload.close()
    await closePolicies()
    await Promise.all([service.close(), pool.close(), refusals.close()])
  }
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
    drain,
    close,
    metrics: gatewaySource({ requests, requestLog, pool, overload, refusals, apiLog, ...policies, refusedConnections }),
  }
}

/** Beyond the limit of open files a connection would fail without an answer, to callers and to services alike. */
function boundsThatFit(options: GatewayOptions): CallerBounds {
  const { openFiles = openFilesMax(), log } = options
  const asked = { ...defaultCallerBounds, ...options }
  const connectionsMax = connectionsThatFit(asked, openFiles)
  if (connectionsMax < asked.connectionsMax)
    log.warn(
      { openFiles, CONNECTIONS_MAX: asked.connectionsMax, connections: connectionsMax },
      `the limit of open files (${openFiles}) has room for ${connectionsMax} connections of callers, fewer than CONNECTIONS_MAX: raise the limit (ulimit -n) or lower the setting`,
    )
  return { ...asked, connectionsMax }
}

function openPool(
  { services, serviceCa = null, resolve, probing, log }: GatewayOptions,
  signed: SignPrincipal,
): Promise<AddressPool> {
  const { probeWithinMs, ...timing } = probing ?? { ...defaultTiming, probeWithinMs: defaultProbeWithinMs }
  const prober = openProber(signed, trustIn(serviceCa), probeWithinMs)
  return openAddressPool({ urls: services, resolve: resolve ?? resolveAll, prober, log, timing })
}

const receiveTimeouts = ({ requestMs }: AllTimeouts, { keepAliveSeconds }: CallerBounds): ReceiveTimeouts => ({
  requestMs,
  headersMs: Math.min(receiveHeadersMsMax, requestMs),
  keepAliveMs: keepAliveSeconds * 1_000,
})

/**
 * What Fastify serves: what needs no key, the console, the settings, MCP, and what is not there. The calls of the API
 * are taken before (gateway/calls/api.ts).
 */
async function serveRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  { readiness }: AddressPool,
  deps: GatewayDeps,
): Promise<void> {
  const { overload, proxy, requestLog, isStopping } = deps
  const { publicUrl } = deps.policies.sessions
  await proxy.register(app)
  handleErrors(app, routes, deps)
  endConnectionsWhen(app, isStopping)
  overload.watchConnections(app.server)
  serveHealth(app, { isDraining: isStopping, isStuck: overload.isStuck, readiness })
  serveDownloads(app, { descriptions: installedDescriptions(), publicUrl, ...deps })
  serveConsole(app, installedConsole(), requestLog)
  for (const route of routes) if (route.audience === 'settings') serveSettings(app, route, deps)
  for (const stream of streams) serveSettingsStream(app, stream, deps)
  serveMcp(app, deps)
}

/**
 * While calls run the listener stays open, and no caller is turned away. Connections without a call are closed
 * meanwhile: no call has come on them while the gateway said that it is about to stop.
 */
async function untilServed(server: Server, calls: () => number, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs
  while (calls() > 0 && Date.now() < deadline) {
    await after(20)
    server.closeIdleConnections()
  }
}
