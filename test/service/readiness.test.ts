import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { readinessHandler, logReadinessChanges } from '../../service/readiness.ts'
import { eventually } from '../support/eventually.ts'

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
