// All that the gateway serves: what needs no key, the operations over REST, and MCP.
import type { FastifyInstance } from 'fastify'
import type { Operation } from '#contract/operation.ts'
import { routesOf } from '#contract/route-paths.ts'
import { endConnectionsWhen } from '#runtime/close-server.ts'
import type { Log } from '#runtime/log.ts'
import type { Descriptions } from './downloads/openapi.ts'
import { serveHealth } from './health-endpoints.ts'
import { serveMcp } from './mcp.ts'
import { serveKeylessRoutes } from './keyless-routes.ts'
import { handleErrors } from './responses/error-handler.ts'
import { varyingByOrigin } from './responses/cors-headers.ts'
import { commonHeaders } from './responses/response-headers.ts'
import { serveRoute, type Serving } from './rest.ts'
import type { AddressPool } from './upstream/address-pool.ts'
import { openMcpProxy } from './upstream/mcp-proxy.ts'
import type { SignPrincipal } from './upstream/signed-principal.ts'
import { responseHeaders } from './upstream/proxy-headers.ts'
import { openRestProxy, type Timeouts } from './upstream/rest-proxy.ts'

type Parts = {
  readonly operations: readonly Operation[]
  readonly brand: string
  readonly log: Log
  readonly descriptions: Descriptions
  readonly serving: Serving
  readonly pool: AddressPool
  readonly signed: SignPrincipal
  readonly timeouts: Timeouts
  isStopping(): boolean
}

/** Returns what closes the connections to the service. */
export async function serveAll(app: FastifyInstance, parts: Parts): Promise<() => void> {
  const { brand, log, operations, descriptions, serving, isStopping, ...upstream } = parts
  const { overload, requestLog } = serving
  const routes = routesOf(operations)
  const forwardRest = await openRestProxy(app, { ...upstream, isStopping })
  const mcpProxy = openMcpProxy({
    ...{ ...upstream, isDraining: isStopping },
    toResponseHeaders: (headers) => varyingByOrigin(responseHeaders(headers, commonHeaders)),
  })
  handleErrors(app, { routes, requestLog, brand, log })
  endConnectionsWhen(app, isStopping)
  overload.watchConnections(app.server)
  serveHealth(app, { isDraining: isStopping, isStuck: overload.isStuck, readiness: upstream.pool.readiness })
  serveKeylessRoutes(app, { descriptions, requestLog, trustedProxies: serving.trustedProxies })
  for (const route of routes) serveRoute(app, route, serving, forwardRest)
  serveMcp(app, serving, { forward: forwardRest, forwardEvents: mcpProxy.forward, brand, log })
  return mcpProxy.close
}
