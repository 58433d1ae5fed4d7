// What balancers and gateways are told of a service before they send calls there, and what its log says of that.
import { createSecretKey, randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { internalPaths } from '#contract/internal/gateway-endpoints.ts'
import type { Database } from '#prisma/client.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { logger } from '#runtime/log.ts'
import { databaseFaults } from '../../service/faults/database-faults.ts'
import { serveGatewayEndpoints } from '../../service/gateway-endpoints.ts'
import { errorHandler } from '../../service/http/error-response.ts'
import { readinessHandler, logReadinessChanges } from '../../service/readiness.ts'
import { eventually } from '../support/eventually.ts'
import { principalHeaders, principalWith } from '../support/principal-headers.ts'

const allUp = { database: true, redis: true, broker: true, storage: true, isStopping: false }
const well = { database: 'up', redis: 'up', broker: 'up', storage: 'up' }

function reaching(reached: Partial<typeof allUp> = {}) {
  const now = { ...allUp, ...reached }
  const dependencies = {
    database: () => now.database,
    redis: () => now.redis,
    broker: () => now.broker,
    storage: () => now.storage,
    isStopping: () => now.isStopping,
  }
  return { now, dependencies }
}

test.each([
  [{}, 200, { status: 'ready', ...well }],
  [{ redis: false }, 200, { status: 'degraded', ...well, redis: 'away' }],
  [{ broker: false }, 200, { status: 'degraded', ...well, broker: 'away' }],
  [{ storage: false }, 200, { status: 'degraded', ...well, storage: 'full' }],
  [{ isStopping: true }, 503, { status: 'stopping', ...well }],
  [{ database: false }, 503, { status: 'unavailable', ...well, database: 'away' }],
])('a service that reaches all but %j answers %i and names each part', async (reached, status, body) => {
  const app = fastify()
  app.get('/ready', readinessHandler(reaching(reached).dependencies))

  const answer = await app.inject('/ready')

  expect([answer.statusCode, answer.json()]).toEqual([status, body])
})

test('each change of what is reached is one line in the log', async () => {
  const { now, dependencies } = reaching()
  const lines: unknown[] = []
  const telling = logReadinessChanges(dependencies, { warn: (line: unknown) => void lines.push(line) }, 1)
  onTestFinished(telling.close)

  for (const [at, change] of [{ redis: false }, { broker: false }, allUp].entries()) {
    Object.assign(now, change)
    await eventually(() => lines.length === at + 1, 'a line')
  }

  expect(lines).toMatchObject([
    { status: 'degraded', redis: 'away', broker: 'up' },
    { status: 'degraded', redis: 'away', broker: 'away' },
    { status: 'ready', redis: 'up', broker: 'up' },
  ])
})

const [key, other] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))]

test('a gateway that asks whether a service is ready hears what /ready says; others, and with another secret, do not', async () => {
  const { now, dependencies } = reaching()
  const app = fastify()
  onTestFinished(() => app.close())
  const ready = readinessHandler(dependencies)
  app.setErrorHandler(errorHandler(logger('silent', 'service'), databaseFaults(new Map())))
  // No question is asked of the database here.
  serveGatewayEndpoints(app, {} as Database, key, ready)
  app.get('/ready', ready)
  const url = internalPaths.ready
  const ask = (secret = key, kind: Principal['kind'] = 'gateway') =>
    app.inject({ url, headers: principalHeaders(secret, principalWith({ kind, surface: 'internal' }), 'GET', url) })

  for (const [database, code, status] of [[true, 200, 'ready'] as const, [false, 503, 'unavailable'] as const]) {
    now.database = database
    const answer = await ask()
    expect([answer.statusCode, answer.json()]).toMatchObject([code, { status }])
    expect((await app.inject('/ready')).json()).toEqual(answer.json())
  }
  expect([(await ask(other)).statusCode, (await ask(key, 'api_key')).statusCode]).toEqual([401, 404])
})
