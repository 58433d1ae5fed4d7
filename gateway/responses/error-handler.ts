// Fastify's answers where no route has one, and where a route throws. Why the router
// found nothing is read off the contract: the path does not exist (404), or it takes other methods (405, with the list
// of those).
import type { FastifyInstance } from 'fastify'
import { Fault } from '#contract/faults/fault.ts'
import { colonPath, mcpPath, type Route, consolePrefix, publicPaths } from '#contract/route-paths.ts'
import type { Log } from '#runtime/log.ts'
import type { RequestLog } from '../request/request-log.ts'
import { checkRequestHead, isPlainTarget, pathOf, withHead } from '../request/request-head.ts'
import { sendRpcError, faultOf, sendProblem } from './problem-details.ts'
import { commonHeaders } from './gateway-headers.ts'
import { routeNotFound } from '#contract/faults/fault.ts'

type ErrorHandlerDeps = {
  readonly requestLog: RequestLog
  readonly brand: string
  readonly log: Log
}

/** Every answer gets its common headers here, before anything can go wrong. */
export function handleErrors(
  app: FastifyInstance,
  routes: readonly Route[],
  { requestLog, brand, log }: ErrorHandlerDeps,
): void {
  const all = knownRoutes(routes)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...commonHeaders, 'x-request-id': request.id })
    try {
      if (!isPlainTarget(request.url)) throw notFound(request.method, pathOf(request.url), all)
      checkRequestHead(request.raw)
      done()
    } catch (fault) {
      // Refused before it has a route, which would begin its log line.
      requestLog.begin(request.raw, reply.raw, request.id, 'none')
      done(fault as Fault)
    }
  })
  for (const { method, path } of shadowedRoutes(all))
    app.route({ method, url: colonPath(path), handler: (_request, reply) => reply.callNotFound() })
  app.setErrorHandler((thrown, request, reply) => {
    const fault = faultOf(thrown, request.id, log)
    if (pathOf(request.url) !== mcpPath) return sendProblem(reply, fault, brand)
    return sendRpcError(reply, fault, undefined, { quota: null, requestId: request.id }, brand)
  })
  app.setNotFoundHandler((request, reply) => {
    const context = requestLog.begin(request.raw, reply.raw, request.id, 'none')
    const path = pathOf(request.url)
    const fault = notFound(request.method, path, all)
    return path === mcpPath ? sendRpcError(reply, fault, undefined, context, brand) : sendProblem(reply, fault, brand)
  })
}

/** `path` is a template: `/projects/{id}`. */
export type KnownRoute = { readonly method: string; readonly path: string }

/** All that the gateway answers. */
export const knownRoutes = (routes: readonly Route[]): KnownRoute[] => [
  ...routes,
  { method: 'POST', path: mcpPath },
  { method: 'OPTIONS', path: mcpPath },
  ...Object.values(publicPaths).map((path) => ({ method: 'GET', path })),
  { method: 'GET', path: consolePrefix },
  { method: 'GET', path: '/health' },
  { method: 'GET', path: '/ready' },
]

export function notFound(method: string, path: string, all: readonly KnownRoute[]): Fault {
  // Split once: a path may have thousands of segments, and every route is compared with it.
  const segments = path.split('/')
  const matching = all.filter((route) => matches(route.path, segments))
  const closest = matching.map((route) => looseness(route.path)).toSorted()[0]
  const methods = methodsOf(matching.filter((route) => looseness(route.path) === closest))
  if (methods.length === 0 || methods.includes(method))
    return routeNotFound(ofSigningIn.test(path) ? noSigningIn : withoutSlashes(path, segments, all))
  return new Fault('method_not_allowed', `This path supports only ${methods.join(', ')}.`, { allowed: methods })
}

/**
 * Where MCP clients look for a way to sign in, once a key is refused: by RFC 8414, RFC 9728 and OpenID Connect, and at
 * the addresses of the protocol's first version. Some show what they find there, and not why the key was refused.
 */
const ofSigningIn = /^\/(?:register|authorize|token)$|\/\.well-known\/(?:oauth-|openid-configuration)/
const noSigningIn = `There is no authorization server to sign in at. \`${mcpPath}\` takes an API key in the header \`Authorization: Bearer <key>\`: the one that was sent is not valid, or none was sent.`

/** Longer ones are not sent back. */
const hintedLengthMax = 500

/** Names the path without the slash at its end, or without an empty segment, where there is something at that. */
function withoutSlashes(path: string, segments: readonly string[], all: readonly KnownRoute[]): string | undefined {
  if (path.length > hintedLengthMax) return undefined
  const meant = ['', ...segments.filter((segment) => segment !== '')]
  if (meant.length === segments.length) return undefined
  if (!all.some((route) => matches(route.path, meant))) return undefined
  const what = path.endsWith('/') ? 'a slash at the end' : 'two slashes in a row'
  return `Send the path without ${what}: \`${meant.join('/')}\`.`
}

/**
 * Methods that the router would take to another route: `GET /projects/batch` is not the project with the id `batch`. A
 * literal path has its own methods only; each pair that is returned must be answered 405.
 */
function shadowedRoutes(all: readonly KnownRoute[]): KnownRoute[] {
  const byPath = [...Map.groupBy(all, ({ path }) => path)]
  return byPath.flatMap(([path, here]) => {
    const own = methodsOf(here)
    const others = byPath.filter(([other]) => other !== path && covers(other, path)).flatMap(([, there]) => there)
    return methodsOf(others).flatMap((method) => (own.includes(method) ? [] : [{ method, path }]))
  })
}

const methodsOf = (routes: readonly KnownRoute[]): string[] =>
  [...new Set(routes.flatMap(({ method }) => withHead(method)))].toSorted()

/** Of two templates that match one path, the router takes the one that is less than the other. */
const looseness = (template: string): string =>
  template
    .split('/')
    .map((segment) => (segment.startsWith('{') ? 1 : 0))
    .join('')

const covers = (template: string, other: string): boolean => matches(template, other.split('/'))

function matches(template: string, segments: readonly string[]): boolean {
  const expected = template.split('/')
  return (
    segments.length === expected.length &&
    expected.every((segment, at) => (segment.startsWith('{') ? segments[at] !== '' : segment === segments[at]))
  )
}
