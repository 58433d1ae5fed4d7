// What the service tells of a call beside its answer: a line of its log, and for how long it held the database.
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { databaseTimeHeader } from '#contract/internal/principal.ts'
import { mcpPath } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'
import { onPostgres } from '../../support/database-engines.ts'
import { holdLock, isWaiting } from '../../support/database-locks.ts'
import { eventually } from '../../support/eventually.ts'
import { keyId, sharedService, type WorkspaceInService } from '../quiet-service.ts'

const toolCall = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })

onPostgres(() => {
  const lines: string[] = []
  const newWorkspace = sharedService('postgres', undefined, {
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
  })
  let service: WorkspaceInService
  beforeAll(async () => {
    service = await newWorkspace()
    await service.app.listen({ host: '127.0.0.1', port: 0 })
  })

  /** Over a socket, as the gateway calls. */
  async function send(path: string, body?: string, more: Record<string, string> = {}): Promise<Response> {
    const [url = ''] = path.split('?')
    const method = body === undefined ? 'GET' : 'POST'
    const headers = {
      ...service.headersFor(method, url, scopes, url === mcpPath ? 'mcp' : 'http'),
      ...(body !== undefined && { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }),
      ...more,
    }
    const { port } = service.app.server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null })
    await answer.arrayBuffer()
    return answer
  }
  /** Of the calls since it was asked last. */
  const callsLogged = (count: number) =>
    eventually(() => {
      const calls = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'call')
      return calls.length >= count ? { calls, text: lines.splice(0).join() } : null
    }, 'the lines')

  test('each call is one line: its operation, status, time, key and workspace, and nothing that it was sent', async () => {
    await send('/api/v1/projects', '{"name":"private-words"}')
    await send('/api/v1/projects?q=private-words')
    await send('/api/v1/projects/01999999-0000-7000-8000-000000000000')
    await send('/health')
    await send('/ready')

    const { calls, text } = await callsLogged(3)
    const who = { surface: 'http', keyId, workspaceId: service.workspaceId }
    expect(calls).toMatchObject([
      { ...who, operation: 'projects.create', status: 201 },
      { ...who, operation: 'projects.list' },
      { ...who, operation: 'projects.get', status: 404 },
    ])
    for (const { ms, requestId } of calls) expect([typeof ms, typeof requestId]).toEqual(['number', 'string'])
    expect(text).not.toContain('private-words')
  })

  test('a call whose signature is none is a line without a key, and one over MCP a line with its tool and its trace', async () => {
    const _meta = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }

    await send('/api/v1/projects', undefined, { 'x-internal-principal': 'forged-words' })
    await send(mcpPath, toolCall({ name: 'whoami', arguments: {}, _meta }))

    const { calls, text } = await callsLogged(2)
    expect(calls).toMatchObject([
      { operation: 'projects.list', status: 401, keyId: null, workspaceId: null },
      { operation: 'whoami', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' },
    ])
    expect(text).not.toContain('forged-words')
  })

  test.each([
    ['a list', '/api/v1/projects', undefined],
    ['a call of a tool', mcpPath, toolCall({ name: 'projects.list', arguments: {} })],
  ])('%s tells the gateway for how long it has held the database', async (_what, path, body) => {
    const { db, url } = service
    await using lock = await holdLock(url, 'LOCK TABLE project IN ACCESS EXCLUSIVE MODE')

    const answering = send(path, body)
    await eventually(() => isWaiting(db), 'the call to wait for the lock')
    await lock.letGo()

    const { status, headers } = await answering
    expect(status).toBe(200)
    expect(Number(headers.get(databaseTimeHeader))).toBeGreaterThanOrEqual(1)
  })
})
