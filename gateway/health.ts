// For whoever watches over this process: is it alive, and should it get calls?
import type { FastifyInstance } from 'fastify'
import { Fault } from '#contract/fault.ts'
import { unavailable } from './upstream-error.ts'

/** `/ready` asks the service, so that a gateway that reaches none gets no calls. */
export function serveHealth(
  app: FastifyInstance,
  isDraining: () => boolean,
  isStuck: () => boolean,
  isServiceReachable: () => Promise<boolean>,
): void {
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/health', handler: () => ({ status: 'ok' }) })
  app.route({
    method,
    url: '/ready',
    handler: async () => {
      if (isDraining()) throw new Fault('unavailable', 'This gateway is about to stop.', { retryAfterSeconds: 1 })
      if (isStuck()) throw new Fault('unavailable', 'Calls wait, and none comes to an end.', { retryAfterSeconds: 1 })
      if (!(await isServiceReachable())) throw unavailable()
      return { status: 'ready' }
    },
  })
}
