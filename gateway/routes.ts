// What Fastify serves: what needs no key, the console, the operator's operations, MCP, and what is for nobody. The calls of the API are
// taken before (gateway/api-calls.ts).
import type { FastifyInstance } from 'fastify'
import { streams } from '#contract/api.ts'
import type { Route } from '#contract/route-paths.ts'
import { endConnectionsWhen } from '#runtime/close-server.ts'
import type { Log } from '#runtime/log.ts'
import type { ConsoleFiles } from './console/built-files.ts'
import { serveConsole } from './console/serve-console.ts'
import type { Descriptions } from './downloads/openapi.ts'
import { serveHealth } from './health-endpoints.ts'
import { serveMcp } from './mcp.ts'
import { serveKeylessRoutes } from './keyless-routes.ts'
import { handleErrors } from './responses/error-handler.ts'
import { varyingByOrigin } from './responses/cors-headers.ts'
import { commonHeaders } from './responses/response-headers.ts'
import { serveSettings } from './settings-calls.ts'
import { serveSettingsStream } from './settings-streams.ts'
import type { Serving } from './serving.ts'
import { openEventProxy } from './upstream/event-proxy.ts'
import type { Upstream } from './upstream/service-call.ts'
import { responseHeaders } from './upstream/proxy-headers.ts'
import type { Timeouts } from './upstream/outgoing-call.ts'
import { openRestProxy } from './upstream/rest-proxy.ts'

type Parts = {
  readonly routes: readonly Route[]
  readonly brand: string
  readonly log: Log
  readonly descriptions: Descriptions
  readonly consoleFiles: ConsoleFiles
  readonly serving: Serving
  readonly upstream: Upstream
  readonly timeouts: Timeouts
  isStopping(): boolean
}

/** Returns what closes the connections to the service. */
export async function serveAll(app: FastifyInstance, parts: Parts): Promise<() => void> {
  const { brand, log, routes, descriptions, consoleFiles, serving, upstream, timeouts, isStopping } = parts
  const { overload, requestLog } = serving
  const { pool, signed } = upstream
  const forwardRest = await openRestProxy(app, upstream, isStopping)
  const eventProxy = openEventProxy({
    ...{ pool, signed, timeouts, isDraining: isStopping },
    toResponseHeaders: (headers) => varyingByOrigin(responseHeaders(headers, commonHeaders)),
  })
  handleErrors(app, { routes, requestLog, brand, log })
  endConnectionsWhen(app, isStopping)
  overload.watchConnections(app.server)
  serveHealth(app, { isDraining: isStopping, isStuck: overload.isStuck, readiness: pool.readiness })
  const { publicUrl } = serving.policies.sessions
  serveKeylessRoutes(app, { descriptions, requestLog, trustedProxies: serving.trustedProxies, publicUrl })
  serveConsole(app, consoleFiles, requestLog)
  for (const route of routes) if (route.audience === 'settings') serveSettings(app, route, serving, forwardRest)
  for (const stream of streams) serveSettingsStream(app, stream, serving, eventProxy.forward)
  serveMcp(app, serving, { forward: forwardRest, forwardEvents: eventProxy.forward, brand, log })
  return eventProxy.close
}
