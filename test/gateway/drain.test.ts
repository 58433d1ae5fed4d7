// A gateway that is to stop first says so in /ready, and goes on serving meanwhile.
import { expect, test } from 'vitest'
import { startEdge } from './support/edge.ts'

test('while it drains it is not ready, alive, and serves every call, after which the connection closes', async () => {
  await using edge = await startEdge({ drainSeconds: 1 })
  const { token } = edge.service.key()

  const drained = edge.gateway.drain()

  expect((await edge.call('GET', '/ready')).status).toBe(503)
  expect((await edge.call('GET', '/health')).status).toBe(200)
  const { status, headers } = await edge.call('GET', '/api/v1/me', { token })
  expect([status, headers.get('connection')]).toEqual([200, 'close'])
  await drained
  expect((await edge.call('GET', '/api/v1/me', { token })).status).toBe(200)
})
