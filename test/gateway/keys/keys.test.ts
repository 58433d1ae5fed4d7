// What the gateway says of keys that it cannot find: a service that is away is no reason to call one unknown. That
// changes hold at once is seen in test/system/api-keys.test.ts, and without Redis in test/system/revocation.test.ts.
import { expect, test } from 'vitest'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { operatorToken, startEdge } from '../support/edge.ts'

const me = '/api/v1/me'

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
