import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { readinessHandler, logReadinessChanges } from '../../service/readiness.ts'
import { eventually } from '../support/eventually.ts'
import { createSecretKey, randomBytes } from 'node:crypto'
import { internalPaths } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Database } from '#prisma/client.ts'
import { errorHandler } from '../../service/http/error-response.ts'
import { databaseFaults } from '../../service/faults/database-faults.ts'
import { serveGatewayEndpoints } from '../../service/gateway-endpoints.ts'
import { logger } from '#runtime/log.ts'
import { principalHeaders } from '../support/principal-headers.ts'

const up = { database: true, redis: true, broker: true, storage: true, isStopping: false }

function reaching(reached = up) {
  const now = { ...reached }
  const parts = {
    database: () => now.database,
    redis: () => now.redis,
    broker: () => now.broker,
    storage: () => now.storage,
  }
  return { now, reached: { ...parts, isStopping: () => now.isStopping } }
}

test.each([
  [up, 200, { status: 'ready', database: 'up', redis: 'up', broker: 'up', storage: 'up' }],
  [{ ...up, redis: false }, 200, { status: 'degraded', database: 'up', redis: 'away', broker: 'up', storage: 'up' }],
  [{ ...up, broker: false }, 200, { status: 'degraded', database: 'up', redis: 'up', broker: 'away', storage: 'up' }],
  [
    { ...up, redis: false, broker: false },
    200,
    { status: 'degraded', database: 'up', redis: 'away', broker: 'away', storage: 'up' },
  ],
  [{ ...up, storage: false }, 200, { status: 'degraded', database: 'up', redis: 'up', broker: 'up', storage: 'full' }],
  [{ ...up, isStopping: true }, 503, { status: 'stopping', database: 'up', redis: 'up', broker: 'up', storage: 'up' }],
  [
    { ...up, database: false },
    503,
    { status: 'unavailable', database: 'away', redis: 'up', broker: 'up', storage: 'up' },
  ],
])('a service that reaches %j answers %i and names each part', async (reached, status, body) => {
  const app = fastify()
  app.get('/ready', readinessHandler(reaching(reached).reached))

  const answer = await app.inject('/ready')

  expect([answer.statusCode, answer.json()]).toEqual([status, body])
})

test('each change of what is reached is one line in the log', async () => {
  const { now, reached } = reaching()
  const lines: unknown[] = []
  const telling = logReadinessChanges(reached, { warn: (line: unknown) => void lines.push(line) }, 1)
  onTestFinished(telling.close)

  now.redis = false
  await eventually(() => lines.length === 1, 'a line')
  now.broker = false
  await eventually(() => lines.length === 2, 'another line')
  Object.assign(now, up)
  await eventually(() => lines.length === 3, 'a third line')

  expect(lines).toMatchObject([
    { status: 'degraded', redis: 'away', broker: 'up' },
    { status: 'degraded', redis: 'away', broker: 'away' },
    { status: 'ready', redis: 'up', broker: 'up' },
  ])
})

// What a gateway is told of the service that it asks, before it sends calls there.

const key = createSecretKey(randomBytes(32))
const other = createSecretKey(randomBytes(32))
/** No question is asked of it here. */
const noDatabase = {} as Database

const principal = (kind: Principal['kind']): Principal => ({
  kind,
  id: kind,
  name: kind,
  workspaceId: null,
  scopes: [],
  surface: 'internal',
  requestId: 'r-1',
  clientAddress: '',
  quota: null,
})

test.each([
  ['the same as /ready, 200', true, key, 'gateway', 200, 'ready'],
  ['the same as /ready, 503', false, key, 'gateway', 503, 'unavailable'],
  ['401 where it signs with another secret', true, other, 'gateway', 401, undefined],
  ['nothing where it speaks for a key', true, key, 'api_key', 404, undefined],
] as const)('a gateway that asks whether a service is ready hears %s', async (_what, up, secret, kind, code, said) => {
  const app = fastify()
  onTestFinished(() => app.close())
  const ready = readinessHandler({
    database: () => up,
    redis: () => true,
    broker: () => true,
    storage: () => true,
    isStopping: () => false,
  })
  app.setErrorHandler(errorHandler(logger('silent', 'service'), databaseFaults(new Map())))
  serveGatewayEndpoints(app, noDatabase, key, ready)
  app.get('/ready', ready)

  const headers = principalHeaders(secret, principal(kind), 'GET', internalPaths.ready)
  const answer = await app.inject({ method: 'GET', url: internalPaths.ready, headers })

  expect(answer.statusCode).toBe(code)
  if (said === undefined) return
  expect(answer.json()).toMatchObject({ status: said })
  expect((await app.inject('/ready')).json()).toEqual(answer.json())
})
