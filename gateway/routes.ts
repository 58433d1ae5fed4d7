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
import type { Serving } from './serving.ts'
import type { AddressPool } from './upstream/address-pool.ts'
import type { Proxy } from './upstream/proxy.ts'

type Parts = {
  readonly routes: readonly Route[]
  readonly brand: string
  readonly log: Log
  readonly descriptions: Descriptions
  readonly consoleFiles: ConsoleFiles
  readonly serving: Serving
  readonly proxy: Proxy
  readonly pool: Pick<AddressPool, 'readiness'>
  isStopping(): boolean
}

export async function serveAll(app: FastifyInstance, parts: Parts): Promise<void> {
  const { brand, log, routes, descriptions, consoleFiles, serving, proxy, pool, isStopping } = parts
  const { overload, requestLog } = serving
  await proxy.register(app)
  handleErrors(app, { routes, requestLog, brand, log })
  endConnectionsWhen(app, isStopping)
  overload.watchConnections(app.server)
  serveHealth(app, { isDraining: isStopping, isStuck: overload.isStuck, readiness: pool.readiness })
  const { publicUrl } = serving.policies.sessions
  serveKeylessRoutes(app, { descriptions, requestLog, trustedProxies: serving.trustedProxies, publicUrl })
  serveConsole(app, consoleFiles, requestLog)
  for (const route of routes) if (route.audience === 'settings') serveSettings(app, route, serving, proxy)
  for (const stream of streams) serveSettingsStream(app, stream, serving, proxy)
  serveMcp(app, serving, { proxy, brand, log })
}
