// What is answered where no route is, and how whatever a route throws becomes an answer.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Fault } from '#contract/fault.ts'
import { colonPath, mcpPath, type Route } from '#contract/route.ts'
import type { Log } from '#runtime/log.ts'
import { sendRpcError } from '../mcp.ts'
import { everyAnswer } from './response-headers.ts'
import { hidden, isPlainTarget, missing, pathOf, served } from '../request/target.ts'
import { faultOf, sendProblem } from './problem-details.ts'
import type { Running } from '../request/request-log.ts'

export function answerRefusals(
  app: FastifyInstance,
  routes: readonly Route[],
  running: Running,
  brand: string,
  log: Log,
): void {
  const all = served(routes)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...everyAnswer, 'x-request-id': request.id })
    if (!isPlainTarget(request.url)) return done(missing(request.method, '', all))
    done(isHostless(request.raw) ? new Fault('invalid_header', 'Send the header Host.') : undefined)
  })
  for (const { method, path } of hidden(all))
    app.route({ method, url: colonPath(path), handler: (_request, reply) => reply.callNotFound() })
  app.setErrorHandler((thrown, request, reply) => sendProblem(reply, faultOf(thrown, request.id, log), brand))
  app.setNotFoundHandler((request, reply) => {
    const trace = running.begin(request.raw, reply.raw, request.id, 'none')
    const path = pathOf(request.url)
    const fault = missing(request.method, path, all)
    return path === mcpPath ? sendRpcError(reply, fault, null, trace, brand) : sendProblem(reply, fault, brand)
  })
}

/** RFC 9112, section 3.2: HTTP/1.1 is refused without it. */
const isHostless = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined
