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
import { serveSettings } from './settings-calls.ts'
import { serveSettingsStream } from './settings-streams.ts'
import type { GatewayDeps } from './serving.ts'
import type { AddressPool } from './upstream/address-pool.ts'
import type { Proxy } from './upstream/proxy.ts'

type RoutesDeps = {
  readonly routes: readonly Route[]
  readonly brand: string
  readonly log: Log
  readonly descriptions: Descriptions
  readonly consoleFiles: ConsoleFiles
  readonly deps: GatewayDeps
  readonly proxy: Proxy
  readonly pool: Pick<AddressPool, 'readiness'>
  isStopping(): boolean
}

export async function serveAll(app: FastifyInstance, parts: RoutesDeps): Promise<void> {
  const { brand, log, routes, descriptions, consoleFiles, deps, proxy, pool, isStopping } = parts
  const { overload, requestLog } = deps
  await proxy.register(app)
  handleErrors(app, { routes, requestLog, brand, log })
  endConnectionsWhen(app, isStopping)
  overload.watchConnections(app.server)
  serveHealth(app, { isDraining: isStopping, isStuck: overload.isStuck, readiness: pool.readiness })
  const { publicUrl } = deps.policies.sessions
  serveKeylessRoutes(app, { descriptions, requestLog, trustedProxies: deps.trustedProxies, publicUrl })
  serveConsole(app, consoleFiles, requestLog)
  for (const route of routes) if (route.audience === 'settings') serveSettings(app, route, deps, proxy)
  for (const stream of streams) serveSettingsStream(app, stream, deps, proxy)
  serveMcp(app, deps, { proxy, brand, log })
}
