// `/health`, for a supervisor: this process is alive. `/ready`, for a load balancer: it should get calls.
import type { FastifyInstance } from 'fastify'
import { Fault, type FaultMembers } from '#contract/faults/fault.ts'
import type { PoolReadiness } from './upstream/pool-readiness.ts'

type Watched = { isDraining(): boolean; isStuck(): boolean; readiness(): PoolReadiness }

/** `/ready` is answered from what is known already: this gateway serves, and at least one service is usable. */
export function serveHealth(app: FastifyInstance, { isDraining, isStuck, readiness }: Watched): void {
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/health', handler: () => ({ status: 'ok' }) })
  app.route({
    method,
    url: '/ready',
    handler: () => {
      const { known, usable, why } = readiness()
      const services = { known, usable }
      if (isDraining()) throw notReady('This gateway is about to stop.', { services })
      if (isStuck()) throw notReady('Calls wait, and none comes to an end.', { services })
      if (why !== null) throw notReady(why, { services })
      return { status: 'ready', services }
    },
  })
}

const notReady = (detail: string, members: FaultMembers): Fault =>
  new Fault('unavailable', detail, { retryAfterSeconds: 1, ...members })
