// Streams of 2026-07-28: of what changes a listener is told, of progress a caller; how many there may be, how they end.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messagesOf } from '#clients/server-sent-events.ts'
import { openSubscriptions } from '../../../service/mcp/subscriptions.ts'
import { must, startSystem, type System, type Tenant } from '../../support/system.ts'
import { modernRequest } from '../support/messages.ts'
import { exchangeOf } from '../support/stage.ts'

// oxlint-disable-next-line typescript/no-explicit-any
type Frame = { readonly method?: string; readonly id?: number; readonly params?: any; readonly error?: object }

async function open({ secret }: Tenant, ...given: Parameters<typeof modernRequest>) {
  const { body, headers } = modernRequest(...given)
  const left = new AbortController()
  const answer = await fetch(`${system.url}/api/mcp`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: left.signal,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
  })
  const messages = messagesOf(answer.body!)
  const next = async (): Promise<Frame | undefined> => {
    for (;;) {
      const { value, done } = await messages.next()
      if (done === true) return undefined
      if (value.data !== null) return JSON.parse(value.data) as Frame
    }
  }
  return { answer, next, leave: () => left.abort() }
}
const listen = (who: Tenant, notifications: object) => open(who, 'subscriptions/listen', { notifications })

let system: System
let tenant: Tenant
let closed: PromiseLike<void> | undefined
beforeAll(async () => {
  system = await startSystem('standalone')
  tenant = await system.tenant()
})
afterAll(() => closed ?? system?.[Symbol.asyncDispose]())

const project = async (name: string, key?: string): Promise<{ id: string }> =>
  must(await tenant.api('POST', '/api/v1/projects', { name, key }))
const rename = async ({ id }: { id: string }, name: string) =>
  must(await tenant.api('PATCH', `/api/v1/projects/${id}`, { name }))

test('a bulk change that asks for progress tells of each item before its result', async () => {
  const items = ['One', 'Two', 'Three'].map((name) => ({ action: 'create', data: { name } }))
  const call = { name: 'objects.bulk', arguments: { type: 'projects', items, dryRun: true } }

  const { answer, next } = await open(tenant, 'tools/call', { ...call, _meta: { progressToken: 'mine' } })
  const frames = [await next(), await next(), await next(), await next(), await next()]

  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect(frames).toMatchObject([
    ...[1, 2, 3].map((progress) => ({ params: { progressToken: 'mine', progress, total: 3 } })),
    { id: 7, result: { structuredContent: { done: 3, dryRun: true } } },
    undefined,
  ])
})

test('a listener is told of the objects that it has named and its key may read, and that the list changes', async () => {
  const [heard, other] = [await project('Heard', 'WEB'), await project('Not heard')]
  const uris = ['workspace://projects/WEB', `workspace://projects/${heard.id}`]
  const asked = { resourceSubscriptions: uris, resourcesListChanged: true }
  const tasksOnly = await tenant.key(['tasks:read', 'events:read'])
  const [stream, deaf] = [await listen(tenant, asked), await listen(tasksOnly, asked)]
  const acknowledged = [await stream.next(), await deaf.next()]

  await rename(other, 'Still not')
  await rename(heard, 'Heard again')
  const updates = [await stream.next(), await stream.next()]
  must(await tenant.api('POST', '/api/v1/tasks', { title: 'Task', projectId: heard.id }))

  const method = 'notifications/subscriptions/acknowledged'
  expect(acknowledged[0]).toMatchObject({ method, params: { notifications: asked } })
  expect(updates.map((frame) => frame?.method)).toEqual(uris.map(() => 'notifications/resources/updated'))
  expect(new Set(updates.map((frame) => frame?.params.uri))).toEqual(new Set(uris))
  for (const { next } of [stream, deaf]) expect((await next())?.method).toBe('notifications/resources/list_changed')
  stream.leave()
  deaf.leave()
})

test('a listener without the scope of the feed hears nothing: its stream ends at once', async () => {
  const few = await tenant.key(['projects:read'])

  const { next } = await listen(few, { resourceSubscriptions: ['workspace://projects/WEB'] })

  expect(await next()).toMatchObject({ params: { notifications: {} } })
  expect(await next()).toMatchObject({ id: 7, result: {} })
})

describe('a stream', () => {
  const forEver = () => new Promise<never>(() => {})
  const exchangeIn = (workspaceId: string) =>
    exchangeOf({ workspaceId, scopes: ['tasks:read', 'events:read'], execute: forEver })
  const noEnd = () => {}

  test('is one of its workspace’s share, which gets it back when it ends', () => {
    const { signal } = new AbortController()
    const streams = openSubscriptions(signal, { all: 3, perWorkspace: 2, lifetimeMs: 60_000 })

    const first = streams.open(exchangeIn('a'), noEnd)
    streams.open(exchangeIn('a'), noEnd)
    expect(streams.open(exchangeIn('a'), noEnd)).toBeNull()
    streams.open(exchangeIn('b'), noEnd)
    expect(streams.open(exchangeIn('c'), noEnd)).toBeNull()

    first?.end()
    first?.end()

    expect(streams.open(exchangeIn('a'), noEnd)).not.toBeNull()
    expect(streams.open(exchangeIn('c'), noEnd)).toBeNull()
  })

  test.each([
    ['its time is over', 10, noEnd, forEver],
    ['the service closes', 60_000, (closing: AbortController) => closing.abort(), forEver],
    ['the feed refuses to go on', 60_000, noEnd, () => Promise.reject(new Error('expired'))],
  ])('ends when %s', async (_name, lifetimeMs, act, execute) => {
    const closing = new AbortController()
    const ended = Promise.withResolvers<void>()

    const streams = openSubscriptions(closing.signal, { all: 1, perWorkspace: 1, lifetimeMs })
    streams.open({ ...exchangeIn('a'), execute }, ended.resolve)
    act(closing)

    await ended.promise
  })

  test('does not open once the service is closing', () => {
    expect(openSubscriptions(AbortSignal.abort()).open(exchangeIn('a'), noEnd)).toBeNull()
  })

  test('ends with the product, which does not wait for its time to be over', async () => {
    const own = await listen(tenant, { resourcesListChanged: true })
    await own.next()

    closed = system[Symbol.asyncDispose]()

    while ((await own.next()) !== undefined);
    await closed
  })
})
