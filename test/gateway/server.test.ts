// The process around the checks: health, timeouts, and how it stops.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/servers/server.ts'
import { operatorToken, startEdge } from './support/edge.ts'
import { internalSecret, standIn } from './support/service.ts'
import { logLines } from './support/log-lines.ts'
import { openWire } from './support/wire.ts'

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
