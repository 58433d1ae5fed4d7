// The process around the checks: health, log lines, patience, and how it stops.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/servers/server.ts'
import { operatorToken, startEdge } from './support/edge.ts'
import { internalSecret, standIn, workspaceA } from './support/service.ts'
import { openWire } from './support/wire.ts'

function logLines() {
  const lines: string[] = []
  const out = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) })
  return { log: pino({ level: 'info' }, out), lines }
}

test('alive and ready are two questions', async () => {
  await using edge = await startEdge()
  expect((await edge.call('GET', '/health')).body).toEqual({ status: 'ok' })
  expect((await edge.call('GET', '/ready')).body).toEqual({ status: 'ready', services: { known: 1, usable: 1 } })
  await edge.service.close()
  const { body } = await eventually(async () => {
    const answer = await edge.call('GET', '/ready')
    return answer.status === 503 ? answer : null
  }, 'that it is not ready')
  expect(body).toMatchObject({ code: 'unavailable', services: { known: 1, usable: 0 } })
  expect((await edge.call('GET', '/health')).status).toBe(200)
})

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

test('a caller that leaves early is logged as 499', async () => {
  const { log, lines } = logLines()
  await using edge = await startEdge({ log })
  edge.service.respond = () => {}
  const wire = await openWire(edge.gateway.port)
  wire.send(`GET /api/v1/me HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${edge.service.key().token}\r\n\r\n`)
  await eventually(() => edge.service.calls.length === 1, 'the call arrives')
  wire.socket.destroy()
  await eventually(() => lines.some((line) => JSON.parse(line).status === 499), 'a line')
})

test('what the gateway answers itself, and nobody reads, is cut off as well', async () => {
  const { log, lines } = logLines()
  await using edge = await startEdge({ log, timeouts: { stalledMs: 300 } })
  const wire = await openWire(edge.gateway.port)
  wire.socket.pause()
  wire.send('GET /api/v1/openapi.json HTTP/1.1\r\nhost: gateway\r\n\r\n'.repeat(40))
  await eventually(() => lines.some((line) => JSON.parse(line).status === 499), 'a line')
  wire.socket.destroy()
})

test.each([
  ['small', 10, 0],
  ['large', 100_000, 1],
])(
  'a %s body that trickles in is cut off with 408, and no call to the service is left',
  async (_size, length, calls) => {
    const { log, lines } = logLines()
    await using edge = await startEdge({ log, timeouts: { requestMs: 400 } })
    const wire = await openWire(edge.gateway.port)
    wire.send(
      `POST /api/v1/projects HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${edge.service.key().token}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n{`,
    )
    expect(await wire.hear('"status":408')).toContain('408 Request Timeout')
    await eventually(() => wire.closed(), 'the connection ends')
    await eventually(() => edge.service.cancelled === calls, 'the call to the service ends')
    await eventually(() => lines.length === 1, 'its line')
    expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'request', status: 499 })
  },
)

test('while it stops, calls that run are finished, it says that it is not ready, and connections end', async () => {
  const edge = await startEdge()
  const answer = Promise.withResolvers<void>()
  edge.service.respond = (_request, response) => void answer.promise.then(() => response.end('{"late":true}'))
  const { token } = edge.service.key()
  const slow = edge.call('GET', '/api/v1/me', { token })
  await eventually(() => edge.service.calls.length === 1, 'the call arrives')
  const closed = edge.gateway.close()
  const ready = await edge.call('GET', '/ready')
  expect([ready.status, ready.body.code, ready.headers.get('connection')]).toEqual([503, 'unavailable', 'close'])
  answer.resolve()
  const { status, body, headers } = await slow
  expect([status, body, headers.get('connection')]).toEqual([200, { late: true }, 'close'])
  await closed
  await expect(edge.call('GET', '/health')).rejects.toThrow()
  await edge.service.close()
})

test('as a process it serves, stops at SIGTERM with exit code 0, and names each missing setting', async () => {
  await using service = await standIn()
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    PORT: String(port),
    SERVICE_URLS: service.url,
    INTERNAL_SECRET: internalSecret,
    OPERATOR_TOKEN: operatorToken,
  }
  const gateway = spawn(process.execPath, ['gateway/main.ts'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  await using _ended = { [Symbol.asyncDispose]: async () => void gateway.kill('SIGKILL') }
  const { token } = service.key()
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } }).then(
      ({ status }) => status === 200,
      () => false,
    )
  await eventually(ask, 'the process serves')
  gateway.kill('SIGTERM')
  expect((await once(gateway, 'exit'))[0]).toBe(0)

  const without = spawn(process.execPath, ['gateway/main.ts'], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  without.stderr.on('data', (chunk) => (said += String(chunk)))
  expect((await once(without, 'exit'))[0]).toBe(78)
  for (const name of ['SERVICE_URLS', 'INTERNAL_SECRET', 'OPERATOR_TOKEN']) expect(said).toContain(`${name} is missing`)
})
