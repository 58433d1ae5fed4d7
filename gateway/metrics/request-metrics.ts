// The metrics of each request, counted when it is over, at the place where its log line is made. Routes are known from
// the start, so a request costs a look-up and some additions; no figure is looked up by what a caller has sent.
import type { Socket } from 'node:net'
import { changes } from '#contract/operation.ts'
import { mcpPath, type Route } from '#contract/route-paths.ts'
import { durationBounds, histogramOf, type Histogram } from '#runtime/metrics/metric.ts'
import type { FinishedRequest } from '../request/request-log.ts'

/** `public` needs no key; `none` is no address at all. */
type Surface = 'http' | 'settings' | 'mcp' | 'public' | 'none'
export type CountedRoute = {
  readonly operation: string
  readonly surface: Surface
  /** Its method does: what a tool does is for the tool to say. */
  readonly changes: boolean
  readonly bytes: { received: number; sent: number }
  /** By status class, from the first request on that ends so. */
  readonly outcomes: (Outcome | undefined)[]
}
export type Outcome = {
  /** By the code with which the gateway has refused; '' for what it has not. */
  readonly byCode: Map<string, number>
  readonly total: Histogram
  readonly own: Histogram
  readonly upstream: Histogram
}
export type RequestMetrics = {
  /** Returns what the request was for. */
  observe(request: FinishedRequest): CountedRoute
  routes(): readonly CountedRoute[]
}
type ByMethod = Readonly<Record<string, CountedRoute | undefined>>

/** Of the gateway's own time, most of which is far below a millisecond. */
const ownBounds = [0.0001, 0.00025, ...durationBounds] as const

export function requestMetrics(routes: readonly Route[]): RequestMetrics {
  const { find, all } = routeTable(routes)
  const bytesOf = bytesSinceLast()

  function observe(request: FinishedRequest): CountedRoute {
    const route = find(request)
    const outcome = (route.outcomes[classOf(request.status)] ??= newOutcome())
    const code = request.code ?? ''
    outcome.byCode.set(code, (outcome.byCode.get(code) ?? 0) + 1)
    outcome.total.observe(request.ms / 1_000)
    outcome.own.observe(request.ownMs / 1_000)
    if (request.upstreamMs !== null) outcome.upstream.observe(request.upstreamMs / 1_000)
    bytesOf(request.socket, route.bytes)
    return route
  }
  return { observe, routes: () => all }
}

const classOf = (status: number): number => Math.floor(status / 100)

function newOutcome(): Outcome {
  const [total, upstream] = [histogramOf(durationBounds), histogramOf(durationBounds)]
  return { byCode: new Map(), total, own: histogramOf(ownBounds), upstream }
}

/** The methods of MCP are one; a HEAD is its GET. */
function routeTable(routes: readonly Route[]) {
  const none = counted('none', 'none')
  const mcp = counted('mcp', 'mcp')
  const page = counted('public', 'public')
  const byPath = new Map<string, ByMethod>()
  for (const [path, there] of Map.groupBy(routes, (route) => route.path)) {
    const methods = there.map(
      (route) => [route.method, counted(route.operation.name, surfaceOf(route), changes(route.operation))] as const,
    )
    byPath.set(path, Object.fromEntries(methods))
  }
  const all = [...[...byPath.values()].flatMap((methods) => Object.values(methods)), mcp, page, none]
  const find = ({ method, route }: FinishedRequest): CountedRoute => {
    const methods = byPath.get(route)
    if (methods !== undefined) return methods[method === 'HEAD' ? 'GET' : method] ?? none
    if (route === mcpPath) return mcp
    return route === 'none' ? none : page
  }
  return { find, all: all.filter((each) => each !== undefined) }
}

const surfaceOf = ({ audience }: Route): Surface => (audience === 'settings' ? 'settings' : 'http')

const counted = (operation: string, surface: Surface, changing = false): CountedRoute => ({
  operation,
  surface,
  changes: changing,
  bytes: { received: 0, sent: 0 },
  outcomes: Array<Outcome | undefined>(6),
})

/** What a connection has carried since the last request on it ended, heads included. */
function bytesSinceLast() {
  const seen = new WeakMap<Socket, { received: number; sent: number }>()
  return (socket: Socket, bytes: CountedRoute['bytes']): void => {
    const { bytesRead, bytesWritten } = socket
    let before = seen.get(socket)
    if (before === undefined) seen.set(socket, (before = { received: 0, sent: 0 }))
    bytes.received += bytesRead - before.received
    bytes.sent += bytesWritten - before.sent
    before.received = bytesRead
    before.sent = bytesWritten
  }
}
