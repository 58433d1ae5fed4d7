// What the gateway remembers of keys, as a caller sees it: changes hold at once, and a service that is away is no
// reason to call a key unknown.
import { expect, test } from 'vitest'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { keyChangeChannel } from '#contract/internal/gateway-endpoints.ts'
import { openRedisPublisher, openRedisSubscriber, type RedisSubscriber } from '#runtime/redis.ts'
import { services } from '../../support/services.ts'
import { eventually } from '../../support/eventually.ts'
import { operatorToken, startEdge } from '../support/edge.ts'
import { workspaceA } from '../support/service.ts'

const me = '/api/v1/me'

test('a key is asked for once, however many calls come at the same time', async () => {
  await using edge = await startEdge()
  const { token } = edge.service.key()
  await Promise.all(Array.from({ length: 20 }, () => edge.call('GET', me, { token })))
  await edge.call('GET', me, { token })
  expect([edge.service.asked.length, edge.service.calls.length]).toEqual([1, 21])
})

test('a change of the key or of its workspace holds with the next call', async () => {
  await using edge = await startEdge()
  const { token, record } = edge.service.key()
  expect((await edge.call('GET', '/api/v1/projects', { token })).status).toBe(200)
  record.workspaces = [{ id: workspaceA, suspended: true, refusals: [] }]
  edge.announce({ kind: 'workspace', id: workspaceA })
  expect((await edge.call('GET', '/api/v1/projects', { token })).body.code).toBe('workspace_suspended')
  record.revokedAt = new Date().toISOString()
  expect((await edge.call('GET', me, { token })).status).toBe(200)
  edge.announce({ kind: 'api-key', id: record.id })
  expect((await edge.call('GET', me, { token })).body.code).toBe('api_key_revoked')
})

test('an answer that a change overtook is thrown away and asked for again', async () => {
  await using edge = await startEdge()
  const { token, record } = edge.service.key()
  const asked = Promise.withResolvers<void>()
  const changed = Promise.withResolvers<void>()
  edge.service.beforeKey = () => {
    asked.resolve()
    return changed.promise
  }
  const answer = edge.call('GET', me, { token })
  await asked.promise
  edge.announce({ kind: 'api-key', id: record.id })
  changed.resolve()
  expect((await answer).status).toBe(200)
  expect(edge.service.asked.length).toBe(2)
})

test('a change that was not broadcast is asked for', async () => {
  await using edge = await startEdge()
  const { token, record } = edge.service.key()
  await edge.call('GET', me, { token })
  record.revokedAt = new Date().toISOString()
  edge.service.keyChanges.push({ number: '1', kind: 'api-key', id: record.id })
  const refused = async () => (await edge.call('GET', me, { token })).body.code === 'api_key_revoked'
  await eventually(refused, 'the key is refused')
})

test('a service that cannot be asked is answered 503, never 401', async () => {
  await using edge = await startEdge()
  const { token } = edge.service.key()
  edge.service.beforeKey = async () => 500
  const failing = await edge.call('GET', me, { token })
  expect([failing.status, failing.body.code, failing.headers.get('retry-after')]).toEqual([503, 'unavailable', '1'])
  await edge.service.close()
  expect((await edge.call('GET', me, { token: makeToken('wsk').token })).body.code).toBe('unavailable')
})

test('wrong credentials are limited by address, and stop nobody else who calls from there', async () => {
  await using edge = await startEdge({ failedCredentialsPerMinute: 3 })
  const known = edge.service.key()
  await edge.call('GET', me, { token: known.token })
  for (let tries = 0; tries < 3; tries++) expect((await edge.call('GET', me, { token: 'junk' })).status).toBe(401)

  const { status, body, headers } = await edge.call('GET', me, { token: 'junk' })
  expect([status, body.code, Number(headers.get('retry-after'))]).toEqual([429, 'rate_limited', body.retryAfterSeconds])
  expect((await edge.call('GET', me, { token: makeToken('wsk').token })).body.code).toBe('rate_limited')
  expect((await edge.call('GET', '/settings/api/workspaces', { token: 'junk' })).body.code).toBe('rate_limited')

  expect((await edge.call('GET', '/settings/api/workspaces', { token: operatorToken })).status).toBe(200)
  expect((await edge.call('GET', me, { token: known.token })).status).toBe(200)
  expect((await edge.call('GET', me, { token: edge.service.key().token })).status).toBe(200)
})

test('a token that no key of ours looks like, and one that was asked for just now, make no work', async () => {
  await using edge = await startEdge({ failedCredentialsPerMinute: 100 })
  const { token } = makeToken('wsk')
  const wrong = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`

  for (const each of [wrong, wrong, token, token, token])
    expect((await edge.call('GET', me, { token: each })).status).toBe(401)

  expect(edge.service.asked).toHaveLength(1)
})

test.skipIf(services().redis === null)('through Redis: a change holds at each gateway', async () => {
  const url = services().redis!
  const channel = keyChangeChannel(`test-${crypto.randomUUID()}`)
  const subscribers: RedisSubscriber[] = []
  const listen: Parameters<typeof startEdge>[0] = {
    listen: (on) => {
      const subscriber = openRedisSubscriber(url, channel, { ...on, error: () => {} })
      subscribers.push(subscriber)
      return subscriber
    },
  }
  await using one = await startEdge(listen)
  await using two = await startEdge({ ...listen, services: [one.service.url] })
  const publisher = openRedisPublisher(url, channel, () => {})
  await eventually(() => subscribers.every((subscriber) => subscriber.isConnected()), 'both listen')
  const { token, record } = one.service.key()
  for (const { call } of [one, two]) expect((await call('GET', me, { token })).status).toBe(200)
  record.revokedAt = new Date().toISOString()
  publisher.publish(JSON.stringify({ kind: 'api-key', id: record.id }))
  for (const { call } of [one, two])
    await eventually(async () => (await call('GET', me, { token })).status === 401, 'the key is refused', 1_000)
  await publisher.close()
})
