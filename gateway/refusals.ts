// What is answered where no route is, and how whatever a route throws becomes an answer.
import type { FastifyInstance } from 'fastify'
import { mcpPath, type Route } from '#contract/route.ts'
import type { Log } from '#runtime/log.ts'
import { sendRpcError } from './mcp.ts'
import { isPlainTarget, missing, pathOf, served } from './policies/target.ts'
import { faultOf, sendProblem } from './problem.ts'
import type { Running } from './trace.ts'

export function answerRefusals(
  app: FastifyInstance,
  routes: readonly Route[],
  running: Running,
  brand: string,
  log: Log,
): void {
  const all = served(routes)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done(isPlainTarget(request.url) ? undefined : missing(request.method, '', all))
  })
  app.setErrorHandler((thrown, request, reply) => sendProblem(reply, faultOf(thrown, request.id, log), brand))
  app.setNotFoundHandler((request, reply) => {
    const trace = running.begin(request.raw, reply.raw, request.id, 'none')
    const path = pathOf(request.url)
    const fault = missing(request.method, path, all)
    return path === mcpPath ? sendRpcError(reply, fault, null, trace, brand) : sendProblem(reply, fault, brand)
  })
}
