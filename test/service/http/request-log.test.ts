import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, test, describe } from 'vitest'
import { mcpPath } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { keyId, quietService } from '../quiet-service.ts'
import { databaseTimeHeader } from '#contract/internal/principal.ts'
import { openSession } from '#prisma/sql-session.ts'

const surfaceOf = (path: string) => (path === mcpPath ? 'mcp' : 'http')

/** Over a socket, as the gateway calls. */
async function loggedService() {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
  const service = await quietService('postgres', undefined, { log })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  const send = async (method: string, path: string, more: { headers?: Record<string, string>; body?: string } = {}) => {
    const [url = ''] = path.split('?')
    const headers = { ...service.headersFor(method, url, scopes, surfaceOf(url)), ...more.headers }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...more, headers })
    await answer.arrayBuffer()
  }
  const calls = (count: number) =>
    eventually(() => {
      const found = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'call')
      return found.length >= count ? found : null
    }, 'the lines')
  const { workspaceId } = service
  return { send, calls, workspaceId, text: () => lines.join(), [Symbol.asyncDispose]: service[Symbol.asyncDispose] }
}

test.skipIf(services().postgres === null)(
  'each call is one line: its operation, status, time, key and workspace, and nothing that it was sent',
  async () => {
    await using service = await loggedService()

    const json = { 'content-type': 'application/json' }
    await service.send('POST', '/api/v1/projects', { headers: json, body: '{"name":"private-words"}' })
    await service.send('GET', '/api/v1/projects?q=private-words')
    await service.send('GET', '/api/v1/projects/01999999-0000-7000-8000-000000000000')
    await service.send('GET', '/health')
    await service.send('GET', '/ready')

    const calls = await service.calls(3)
    const who = { surface: 'http', keyId, workspaceId: service.workspaceId }
    expect(calls).toMatchObject([
      { ...who, operation: 'projects.create', status: 201 },
      { ...who, operation: 'projects.list' },
      { ...who, operation: 'projects.get', status: 404 },
    ])
    for (const { ms, requestId } of calls) expect([typeof ms, typeof requestId]).toEqual(['number', 'string'])
    expect(service.text()).not.toContain('private-words')
  },
)

test.skipIf(services().postgres === null)('a call whose signature is none is a line, too, without a key', async () => {
  await using service = await loggedService()

  await service.send('GET', '/api/v1/projects', { headers: { 'x-internal-principal': 'forged-words' } })

  expect(await service.calls(1)).toMatchObject([
    { operation: 'projects.list', status: 401, keyId: null, workspaceId: null },
  ])
  expect(service.text()).not.toContain('forged-words')
})

test.skipIf(services().postgres === null)('a call over MCP is a line with its tool and its trace', async () => {
  await using service = await loggedService()
  const _meta = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
  const params = { name: 'whoami', arguments: {}, _meta }

  await service.send('POST', '/api/mcp', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })

  expect(await service.calls(1)).toMatchObject([{ operation: 'whoami', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }])
})

// The service tells the gateway for how long a call has held the database, whether it is answered or refused.

const path = '/api/v1/projects'
const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects.list', arguments: {} } }

describe.skipIf(services().postgres === null)('on Postgres', () => {
  test.each(['a list', 'a call of a tool'])('%s says how long it took', async (what) => {
    await using service = await quietService('postgres')
    const { app, db, headersFor } = service
    const [{ url }] = await db.$queryRaw<[{ url: string }]>`SELECT current_database() AS url`
    const other = await openSession({ url: new URL(`/${url}`, services().postgres ?? '').href })
    await other.run('BEGIN; LOCK TABLE project IN ACCESS EXCLUSIVE MODE')

    const answering =
      what === 'a list'
        ? app.inject({ method: 'GET', url: path, headers: headersFor('GET', path) })
        : app.inject({
            method: 'POST',
            url: '/api/mcp',
            headers: {
              ...headersFor('POST', '/api/mcp', undefined, 'mcp'),
              accept: 'application/json, text/event-stream',
            },
            payload: mcp,
          })
    await eventually(async () => {
      const waiting = await db.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return waiting.length > 0
    }, 'the call waits for the lock')
    await other.run('ROLLBACK')
    await other.close()

    const { statusCode, headers } = await answering
    expect(statusCode).toBe(200)
    expect(Number(headers[databaseTimeHeader])).toBeGreaterThanOrEqual(1)
  })
})
