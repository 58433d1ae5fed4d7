// The edge, composed. A request meets, in this order: the router (gateway/rest.ts, gateway/mcp.ts), the checks
// (gateway/admission.ts), and one of the two ways to the service (gateway/upstream/rest-proxy.ts, gateway/upstream/mcp-proxy.ts). The
// gateway holds no rows and no rule of the domain: all that it knows of operations is the contract.
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { operations as allOperations } from '#contract/api.ts'
import type { Operation } from '#contract/operation.ts'
import { routesOf } from '#contract/route.ts'
import { ranges } from '#runtime/ip-address.ts'
import { closeServer, endConnectionsWhen } from '#runtime/close-server.ts'
import { drainFor } from '#runtime/drain.ts'
import type { Log } from '#runtime/log.ts'
import type { Part, Process } from '#runtime/process.ts'
import { deriveKey } from '#runtime/sealing.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { servePublicRoutes } from './public-routes.ts'
import { denialLog } from './reports/denied-calls.ts'
import { openMcpProxy } from './upstream/mcp-proxy.ts'
import { openForward, type Timeouts } from './upstream/rest-proxy.ts'
import { serveHealth } from './health-endpoints.ts'
import { followKeyChanges, hearKeyChange } from './key-changes.ts'
import { keyMemory } from './key-cache.ts'
import type { Limits } from './rate-limit/rate-limiter.ts'
import { httpServer, type Patience } from './listener.ts'
import { serveMcp } from './mcp.ts'
import { failedCredentials } from './rate-limit/failed-credentials.ts'
import { answerRefusals } from './responses/not-found.ts'
import { serveRoute, type Serving } from './rest.ts'
import { gatewayPrincipal, serviceClient } from './upstream/service-client.ts'
import { requestsRunning, type Running } from './request/request-log.ts'
import { resolveAll, type Resolve } from './upstream/dns-resolution.ts'
import { openPool, type Timing } from './upstream/address-pool.ts'
import { principalSigner } from './upstream/principal-header.ts'
import { openProber } from './upstream/readiness-probe.ts'
import { openTraffic, standardWaits, type Waits } from './upstream/overload-protection.ts'
import { usageCounter } from './reports/usage.ts'

export type GatewayParts = {
  readonly host: string
  /** 0: one that is free. */
  readonly port: number
  /** Addresses of the service, `http://host:port`. */
  readonly services: readonly string[]
  readonly internalSecret: string
  readonly operatorToken: string
  /** Addresses and ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  readonly brand: string
  readonly log: Log
  readonly limits: Limits
  /** Hears of changed keys as soon as they have changed. What it misses is asked for. */
  readonly listen: (on: { message(text: string): void }) => Part
  readonly failedCredentialsPerMinute?: number
  /** Those of the contract, unless a test has its own. */
  readonly operations?: readonly Operation[]
  readonly timeouts?: Partial<Timeouts & Patience & Waits>
  /** How long it serves on once it was told to stop; 0 where nothing is said. */
  readonly drainSeconds?: number
  /** How names in `services` become addresses. */
  readonly resolve?: Resolve
  readonly probing?: Timing & { readonly probeWithinMs: number }
}
export type Gateway = Required<Process> & { readonly url: string; readonly port: number }

const patience = { connectMs: 1_000, headersMs: 30_000, bodyMs: 60_000, requestMs: 30_000 }
const failedCredentialsPerMinute = 60
/** An interval and two probes that nobody answers: a frozen service is found within two seconds. */
const defaultProbing = { probeEveryMs: 500, probeWithinMs: 700, resolveEveryMs: 2_000 }
const drainMs = 5_000
const closeMs = 20_000

export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { brand, log, operations = allOperations } = parts
  const timeouts = { ...patience, ...standardWaits, ...parts.timeouts }
  const { probing = defaultProbing } = parts
  const signed = principalSigner(deriveKey(parts.internalSecret, 'principal'))
  const pool = await openPool({
    ...{ urls: parts.services, resolve: parts.resolve ?? resolveAll, log },
    prober: openProber((path) => signed(gatewayPrincipal(), 'GET', path), probing.probeWithinMs),
    timing: probing,
  })
  const service = serviceClient(pool, signed)
  const trusted = ranges(parts.trustedProxies)
  const running = requestsRunning(log, trusted)
  const traffic = openTraffic(timeouts)
  const keys = keyMemory(service.askKey, () => changes.isUpToDate())
  const line = parts.listen({ message: (text) => hearKeyChange(text, keys) })
  const changes = followKeyChanges(service.askKeyChanges, keys, (error) =>
    log.warn({ err: error }, 'no service says which keys have changed; keys are asked for every few seconds'),
  )
  const usage = usageCounter(service.reportUsage, (error) => log.warn({ err: error }, 'usage not reported'))
  const denials = denialLog(service.reportDenials, {
    error: (error) => log.warn({ err: error }, 'refused calls not reported, trying again'),
    dropped: (count) => log.warn({ count }, 'too many kinds of refused calls, some go unreported'),
  })
  const failed = failedCredentials(parts.failedCredentialsPerMinute ?? failedCredentialsPerMinute)
  const policies = {
    keys,
    limits: parts.limits,
    failed,
    usage,
    denials,
    operatorTokenHash: tokenHash(parts.operatorToken),
  }
  const serving: Serving = { policies, running, traffic, trusted }
  const routes = routesOf(operations)
  const { begin: drain, isDraining } = drainFor(parts.drainSeconds ?? 0)
  let isClosing = false
  const isStopping = (): boolean => isDraining() || isClosing

  const app = httpServer(brand, { requestMs: timeouts.requestMs, headersMs: Math.min(10_000, timeouts.requestMs) })
  const mcp = openMcpProxy(pool, signed, timeouts, isStopping)
  const forward = await openForward(app, pool, signed, timeouts)
  answerRefusals(app, routes, running, brand, log)
  endConnectionsWhen(app, isStopping)
  app.addHook('onRequest', (request, reply, done) => {
    traffic.watchAnswer(request.raw, reply.raw)
    done()
  })
  serveHealth(app, isStopping, traffic.isStuck, pool.standing)
  servePublicRoutes(app, running, trusted)
  for (const route of routes) serveRoute(app, route, serving, forward)
  serveMcp(app, serving, { operations, forward: mcp.forward, brand, log })
  await app.listen({ host: parts.host, port: parts.port })

  async function close(): Promise<void> {
    isClosing = true
    await allServed(running, drainMs)
    await closeServer(app, closeMs - drainMs)
    mcp.close()
    traffic.close()
    await Promise.all([usage.close(), denials.close()])
    await Promise.all([line.close(), changes.close(), parts.limits.close(), service.close(), pool.close()])
  }
  const { port } = app.server.address() as AddressInfo
  return { url: `http://${parts.host.includes(':') ? `[${parts.host}]` : parts.host}:${port}`, port, drain, close }
}

/** While calls run the listener stays open: a balancer sees `/ready` fail, and nobody is turned away. */
async function allServed(running: Running, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs
  while (running.count() > 0 && Date.now() < deadline) await after(20)
}
