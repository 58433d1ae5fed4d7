// The line of each request.
import { expect, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { eventually } from '../../support/eventually.ts'
import { startEdge } from '../support/edge.ts'
import { logLines } from '../support/log-lines.ts'
import { workspaceA } from '../support/service.ts'

test('each request leaves one line, without the query, the token or its hash', async () => {
  const { log, lines } = logLines()
  await using edge = await startEdge({ log })
  const { token, record } = edge.service.key()
  await edge.call('GET', `/api/v1/projects/${workspaceA}?secret=hidden`, { token, headers: { 'x-request-id': 'r1' } })
  await edge.call('POST', '/api/mcp', { token, body: { id: 1 } })
  await edge.call('GET', '/nowhere?secret=hidden', { token })
  await eventually(() => lines.length === 3, 'three lines')
  const [rest, mcp, none] = lines.map((line) => JSON.parse(line))
  expect(rest).toMatchObject({
    method: 'GET',
    route: '/api/v1/projects/{id}',
    status: 200,
    keyId: record.id,
    workspaceId: workspaceA,
    requestId: 'r1',
    clientAddress: '127.0.0.1',
    ms: expect.any(Number),
  })
  expect(mcp).toMatchObject({ method: 'POST', route: '/api/mcp', status: 200, keyId: record.id })
  expect(none).toMatchObject({ route: 'none', status: 404, keyId: null })
  expect(lines.join('')).not.toMatch(new RegExp(`hidden|${token}|${edge.service.asked[0]}`))
})

test('the line names the caller’s address, behind a trusted proxy the one that the proxy saw', async () => {
  const { log, lines } = logLines()
  await using edge = await startEdge({ log, trustedProxies: ['127.0.0.1'] })
  const headers = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' }
  await edge.call('GET', '/api/v1/me', { token: edge.service.key().token, headers })
  await edge.call('POST', '/api/mcp', { headers, body: {} })
  await edge.call('GET', '/nowhere', { headers })
  await edge.call('GET', '/api/v1/health')
  await eventually(() => lines.length === 4, 'four lines')
  const addresses = lines.map((line) => JSON.parse(line).clientAddress)
  expect(addresses).toEqual(['203.0.113.7', '203.0.113.7', '203.0.113.7', '127.0.0.1'])
})

test('a token is in no line, wherever the caller puts it, and neither is one in an error behind us', async () => {
  const lines: string[] = []
  const log = logger('trace', 'gateway', { write: (line) => void lines.push(line) })
  await using edge = await startEdge({ log })
  const { token } = edge.service.key()
  const everywhere = ['x-request-id', 'user-agent', 'x-forwarded-for', 'traceparent', 'cookie', 'x-workspace-id', 'te']
  for (const header of everywhere) {
    await edge.call('GET', '/api/v1/me', { token, headers: { [header]: token } })
    await edge.call('POST', '/api/mcp', { token, headers: { [header]: token }, body: {} })
  }
  for (const path of [`/${token}`, `/api/v1/projects/${token}?a=${token}`, `/api/v1/projects?workspaceId=${token}`])
    await edge.call('GET', path, { token })
  edge.service.respond = (request) => void request.socket.destroy(new Error(token))
  await edge.call('GET', '/api/v1/me', { token })
  edge.service.beforeKey = () => Promise.resolve(500)
  await edge.call('GET', '/api/v1/me', { token: edge.service.key().token })

  await eventually(() => lines.filter((line) => line.includes('"msg":"request"')).length === 19, 'the lines')
  expect(lines.join('')).not.toContain(token.slice(-30))
  expect(lines.join('')).toContain('[redacted]')
})
