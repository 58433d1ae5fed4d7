// What the gateway answers where no route does, and how anything that a route throws becomes an answer.
import type { FastifyInstance } from 'fastify'
import type { Fault } from '#contract/faults/fault.ts'
import { colonPath, mcpPath, type Route } from '#contract/route-paths.ts'
import type { Log } from '#runtime/log.ts'
import type { RequestLog } from '../request/request-log.ts'
import { checkRequestHead } from '../request/request-head.ts'
import { isPlainTarget, pathOf } from '../request/target.ts'
import { sendRpcError } from './json-rpc-error.ts'
import { knownRoutes, notFound, shadowedRoutes } from './unknown-route.ts'
import { faultOf, sendProblem } from './problem-details.ts'
import { commonHeaders } from './response-headers.ts'

type Parts = {
  readonly routes: readonly Route[]
  readonly requestLog: RequestLog
  readonly brand: string
  readonly log: Log
}

/** Every answer gets its common headers here, before anything can go wrong. */
export function handleErrors(app: FastifyInstance, { routes, requestLog, brand, log }: Parts): void {
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
