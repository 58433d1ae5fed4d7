// What the gateway remembers of keys, as a caller sees it: changes hold at once, and a service that is away is no
// reason to call a key unknown.
import { expect, test } from 'vitest'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { eventually } from '../../support/eventually.ts'
import { operatorToken, startEdge } from '../support/edge.ts'
import { workspaceA } from '../support/service.ts'

const me = '/api/v1/me'

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
