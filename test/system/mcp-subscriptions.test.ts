// Streams of 2026-07-28 through the gateway: who listens is told of what changes, and of nothing else; who asks for
// progress gets it before the result.
import { beforeAll, expect, test } from 'vitest'
import { must, startSystem, type System, type Tenant } from '../support/system.ts'

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
// A test states by its assertions what it expects of a body.
// oxlint-disable-next-line typescript/no-explicit-any
type Frame = { readonly method?: string; readonly id?: number; readonly params?: any; readonly error?: object }

const listen = (tenant: Tenant, notifications: object) => open(tenant, 'subscriptions/listen', { notifications })

async function open(
  { secret }: Tenant,
  method: string,
  params: { readonly name?: string; readonly _meta?: object; readonly [name: string]: unknown },
) {
  const left = new AbortController()
  const body = { jsonrpc: '2.0', id: 5, method, params: { ...params, _meta: { ...meta, ...params._meta } } }
  const answer = await fetch(`${system.url}/api/mcp`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: left.signal,
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
    },
  })
  const frames = framesOf(answer.body!)
  const next = async (): Promise<Frame | undefined> => (await frames.next()).value
  return { answer, next, leave: () => left.abort() }
}

async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, undefined> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const data = part.split('\n').find((line) => line.startsWith('data: '))
      if (data !== undefined) yield JSON.parse(data.slice(6)) as Frame
    }
  }
  return undefined
}

let system: System
let tenant: Tenant
beforeAll(async () => {
  system = await startSystem('standalone')
  tenant = await system.tenant()
})

test('a bulk change that asks for progress tells of each item before its result', async () => {
  const items = ['One', 'Two', 'Three'].map((name) => ({ action: 'create', data: { name } }))
  const call = { name: 'objects.bulk', arguments: { type: 'projects', items, dryRun: true } }

  const { answer, next } = await open(tenant, 'tools/call', { ...call, _meta: { progressToken: 'mine' } })
  const frames = [await next(), await next(), await next(), await next(), await next()]

  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(answer.headers.get('x-accel-buffering')).toBe('no')
  expect(frames.slice(0, 3).map((frame) => frame?.params)).toMatchObject(
    [1, 2, 3].map((progress) => ({ progressToken: 'mine', progress, total: 3 })),
  )
  expect(frames[3]).toMatchObject({ id: 5, result: { structuredContent: { done: 3, dryRun: true } } })
  expect(frames[4]).toBe(undefined)
})

test('a listener is told of the objects that it has named, and that the list changes', async () => {
  const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'Heard', key: 'WEB' }))
  const other = must(await tenant.api('POST', '/api/v1/projects', { name: 'Not heard' }))
  const uris = ['workspace://projects/WEB', `workspace://projects/${project.id}`]
  const stream = await listen(tenant, { resourceSubscriptions: uris, resourcesListChanged: true })

  expect(await stream.next()).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { resourceSubscriptions: uris, resourcesListChanged: true } },
  })
  must(await tenant.api('PATCH', `/api/v1/projects/${other.id}`, { name: 'Still not' }))
  must(await tenant.api('PATCH', `/api/v1/projects/${project.id}`, { name: 'Heard again' }))
  const updates = [await stream.next(), await stream.next()]
  must(await tenant.api('POST', '/api/v1/projects', { name: 'New' }))

  expect(stream.answer.headers.get('content-type')).toBe('text/event-stream')
  expect(updates.map((frame) => frame?.method)).toEqual(uris.map(() => 'notifications/resources/updated'))
  expect(new Set(updates.map((frame) => frame?.params.uri))).toEqual(new Set(uris))
  expect((await stream.next())?.method).toBe('notifications/resources/list_changed')
  stream.leave()

  // Without the scope of the feed there is nothing to listen to: it ends at once.
  const few = await tenant.key(['projects:read'])
  const none = await listen(few, { resourceSubscriptions: uris })
  expect(await none.next()).toMatchObject({ params: { notifications: {} } })
  expect(await none.next()).toMatchObject({ id: 5, result: {} })

  // A key without the scope of a kind hears nothing of it.
  const tasksOnly = await tenant.key(['tasks:read', 'events:read'])
  const deaf = await listen(tasksOnly, { resourceSubscriptions: uris, resourcesListChanged: true })
  await deaf.next()
  must(await tenant.api('PATCH', `/api/v1/projects/${project.id}`, { name: 'Secret' }))
  must(await tenant.api('POST', '/api/v1/tasks', { title: 'Task', projectId: project.id }))
  expect((await deaf.next())?.method).toBe('notifications/resources/list_changed')

  // The end of the product ends them, and does not wait for their time to be over.
  const closed = system[Symbol.asyncDispose]()
  while ((await deaf.next()) !== undefined);
  await closed
})
