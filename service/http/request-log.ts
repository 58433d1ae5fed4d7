// One line in the log for each call, when it is over: what was asked, by which key, for how long. Never a query, a body
// or a header. What is asked all the time (health, readiness) or belongs to no caller has none.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '#runtime/log.ts'
import { verifiedPrincipal } from './principal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How the calls of the route are named in the log. */
    operation?: string
  }
}

const leftEarly = 499
const named = new WeakMap<FastifyRequest, string>()

/** For a route whose calls differ: what this one turned out to be. */
export const nameOperation = (request: FastifyRequest, operation: string): void => void named.set(request, operation)

export function logRequests(app: FastifyInstance, log: Pick<Log, 'info'>): void {
  app.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.config.operation
    if (route === undefined) return
    const startedAt = performance.now()
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.raw.statusCode : leftEarly
      const ms = Math.round((performance.now() - startedAt) * 10) / 10
      const { surface = null, workspaceId = null, id: keyId = null } = verifiedPrincipal(request) ?? {}
      const operation = named.get(request) ?? route
      log.info({ operation, surface, status, ms, keyId, workspaceId, requestId: request.id }, 'call')
    })
  })
}
