// Readiness, for balancers and gateways: whether database, Redis and broker are reached. Changes of it are logged. It
// is answered from what is known, so that a probe costs nothing. Without the database no call can be served; without
// Redis or RabbitMQ all are, and others are notified of changes later. While its disk is full what is stored can be
// read. A service that is draining says so while it serves on.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Part } from '#runtime/process.ts'

export type Dependencies = {
  readonly database: () => boolean
  readonly redis: () => boolean
  readonly broker: () => boolean
  readonly storage: () => boolean
  readonly isStopping: () => boolean
}
type DependencyState = 'up' | 'away'
export type Readiness = {
  readonly status: 'ready' | 'degraded' | 'unavailable' | 'stopping'
  readonly database: DependencyState
  readonly redis: DependencyState
  readonly broker: DependencyState
  /** Whether the database has room on its disk. */
  readonly storage: 'up' | 'full'
}

const lookEveryMsDefault = 250

function readinessOf(dependencies: Dependencies): Readiness {
  const [database, redis, broker] = [
    stateOf(dependencies.database),
    stateOf(dependencies.redis),
    stateOf(dependencies.broker),
  ]
  const storage = dependencies.storage() ? 'up' : 'full'
  const isWell = [redis, broker, storage].every((state) => state === 'up')
  const status = statusOf(dependencies.isStopping(), database, isWell)
  return { status, database, redis, broker, storage }
}

function statusOf(isStopping: boolean, database: DependencyState, isWell: boolean): Readiness['status'] {
  if (isStopping) return 'stopping'
  if (database === 'away') return 'unavailable'
  return isWell ? 'ready' : 'degraded'
}

const stateOf = (isUp: () => boolean): DependencyState => (isUp() ? 'up' : 'away')

/** Answers 503 when the service can take no more calls or is stopping. */
export const readinessHandler =
  (dependencies: Dependencies) => async (_request: FastifyRequest, reply: FastifyReply) => {
    const readiness = readinessOf(dependencies)
    return reply.code(['unavailable', 'stopping'].includes(readiness.status) ? 503 : 200).send(readiness)
  }

/** Begins as if all were up, so that a start during an outage is logged. */
export function logReadinessChanges(
  dependencies: Dependencies,
  log: { warn(readiness: Readiness, text: string): void },
  lookEveryMs = lookEveryMsDefault,
): Part {
  let logged = JSON.stringify(allWell)
  const looking = setInterval(() => {
    const readiness = readinessOf(dependencies)
    if (JSON.stringify(readiness) === logged) return
    logged = JSON.stringify(readiness)
    log.warn(readiness, 'readiness')
  }, lookEveryMs)
  return { close: async () => clearInterval(looking) }
}

const allWell: Readiness = { status: 'ready', database: 'up', redis: 'up', broker: 'up', storage: 'up' }
