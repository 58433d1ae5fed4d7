// What a gateway is told of the service that it asks, before it sends calls there.
import { createSecretKey, randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { internalPaths } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Database } from '#prisma/client.ts'
import { errorHandler } from '../../service/http/error-response.ts'
import { databaseFaults } from '../../service/faults/database-fault.ts'
import { serveGatewayEndpoints } from '../../service/gateway-endpoints.ts'
import { readinessHandler } from '../../service/readiness.ts'
import { logger } from '#runtime/log.ts'
import { principalHeaders } from '../support/principal-headers.ts'

const key = createSecretKey(randomBytes(32))
const other = createSecretKey(randomBytes(32))
/** No question is asked of it here. */
const noDatabase = {} as Database

const principal = (kind: Principal['kind']): Principal => ({
  ...{ kind, id: kind, name: kind, workspaceId: null, scopes: [], surface: 'internal' },
  ...{ requestId: 'r-1', clientAddress: '', quota: null },
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
    ...{ database: () => up, redis: () => true, broker: () => true, storage: () => true, isStopping: () => false },
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
