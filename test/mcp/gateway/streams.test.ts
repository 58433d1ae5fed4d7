// Streams that an MCP caller keeps open to be told of changes: how long, how many, and how they end.
import { setTimeout as after } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { keyChangeChannel } from '#contract/internal/gateway-endpoints.ts'
import { openRedisPublisher, openRedisSubscriber, type RedisSubscriber } from '#runtime/redis.ts'
import type { GatewayOptions } from '../../../gateway/server.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { edgeOfFile, startEdge, type Edge } from '../../gateway/support/edge.ts'
import { workspaceB } from '../../gateway/support/service.ts'
import { openWire } from '../../gateway/support/wire.ts'
import { ping, request } from '../support/messages.ts'

const listen = request('subscriptions/listen', {}, 1)
const silentMs = 450

const { edge } = edgeOfFile()
beforeEach(() => opensStreams(edge))

/** The head of a stream, and nothing more; anything else is answered. */
function opensStreams({ service }: Edge): void {
  service.respond = (_request, response, { body }) => {
    if (body.includes('subscriptions/listen'))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    else response.end('{}')
  }
}

type Stream = { readonly response: Response; leave(): void }

async function open({ gateway }: Edge, token: string): Promise<Stream> {
  const gone = new AbortController()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream' }
  const request = { method: 'POST', headers, body: bytes, signal: gone.signal }
  return { response: await fetch(`${gateway.url}/api/mcp`, request), leave: () => gone.abort() }
}

const bytes = JSON.stringify(listen)
const headOf = (token: string, ...more: string[]): string =>
  ['POST /api/mcp HTTP/1.1', 'host: localhost', `authorization: Bearer ${token}`, 'accept: text/event-stream']
    .concat('content-type: application/json', `content-length: ${bytes.length}`, more, '', '')
    .join('\r\n')

test('headers that are called as what each object has reach the service as they were sent', async () => {
  const wire = await openWire(edge.gateway.port)
  const names = ['constructor', 'toString', 'hasOwnProperty']
  wire.send(headOf(edge.service.key().token, ...names.map((name) => `${name}: as sent`)) + bytes)
  await wire.hear('text/event-stream')
  wire.socket.destroy()

  const sent = Object.entries(edge.service.calls.at(-1)!.headers).filter(([, value]) => value === 'as sent')
  expect(sent.map(([name]) => name)).toEqual(names.map((name) => name.toLowerCase()))
})

test('a stream lasts longer than the time for a body as long as something comes, and ends when nothing does', async () => {
  await using own = await startEdge({ timeouts: { bodyMs: silentMs } })
  own.service.respond = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    void (async () => {
      for (let at = 0; at < 12; at++) {
        response.write(': still here\n\n')
        await after(silentMs / 9)
      }
      response.write('data: the last\n\n')
    })()
  }
  const { response } = await open(own, own.service.key().token)
  let heard = ''
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) heard += chunk
  })()

  await expect(reading).rejects.toThrow()
  expect(heard).toBe(`${': still here\n\n'.repeat(12)}data: the last\n\n`)
})

test('a key has five streams, which take no slot from its calls; the next is refused until one is left', async () => {
  const { token } = edge.service.key()
  const streams: Stream[] = []
  for (let at = 0; at < 5; at++) streams.push(await open(edge, token))

  const sixth = await edge.call('POST', '/api/mcp', { token, body: listen })
  // More than the slots of a key, at once.
  const pings = Array.from({ length: 20 }, () => edge.call('POST', '/api/mcp', { token, body: ping }))
  const statuses = (await Promise.all(pings)).map(({ status }) => status)
  streams.forEach(({ leave }) => leave())
  await eventually(() => edge.service.cancelled === 5, 'the streams of the service to end')
  const again = await open(edge, token)

  const data = { code: 'rate_limited', 'violated-policies': ['streams'] }
  expect(sixth).toMatchObject({ status: 429, body: { id: 1, error: { data } } })
  expect(Number(sixth.headers.get('retry-after'))).toBe(sixth.body.error.data.retryAfterSeconds)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(again.response.status).toBe(200)
  again.leave()
})

const listened: RedisSubscriber[] = []
const throughRedis = (url: string, channel: string): Partial<GatewayOptions> => ({
  listen: (on) => {
    const subscriber = openRedisSubscriber(url, channel, { ...on, error: () => {} })
    listened.push(subscriber)
    return subscriber
  },
})

test.skipIf(services().redis === null)('a change of a key ends its streams at each gateway, no others', async () => {
  const [url, channel] = [services().redis!, keyChangeChannel(`test-${crypto.randomUUID()}`)]
  await using one = await startEdge(throughRedis(url, channel))
  await using two = await startEdge({ ...throughRedis(url, channel), services: [one.service.url] })
  await eventually(() => listened.every((each) => each.isConnected()), 'both listen')
  opensStreams(one)
  const publisher = openRedisPublisher(url, channel, () => {})
  const { token, record } = one.service.key()
  const streams = [await open(one, token), await open(two, token)]
  const other = await open(two, one.service.key().token)

  record.revokedAt = new Date().toISOString()
  publisher.publish(JSON.stringify({ kind: 'api-key', id: record.id }))

  expect(await Promise.all(streams.map(({ response }) => response.text()))).toEqual(['', ''])
  expect((await open(one, token)).response.status).toBe(401)
  expect(one.service.cancelled).toBe(2)
  other.leave()
  await publisher.close()
})

test('without Redis a poll ends the streams of a key, of a suspended workspace, and of an overlap that is over', async () => {
  await using own = await startEdge({ listen: () => ({ isConnected: () => false, close: async () => {} }) })
  opensStreams(own)
  const inTwoSeconds = new Date(Date.now() + 2_000).toISOString()
  const [changed, suspended, replaced, lasting] = [
    own.service.key(),
    own.service.key({ workspaces: [{ id: workspaceB, suspended: false, refusals: [] }] }),
    own.service.key({ secret: { createdAt: new Date(0).toISOString(), expiresAt: inTwoSeconds } }),
    own.service.key(),
  ]
  const streams = await Promise.all([changed, suspended, replaced].map(({ token }) => open(own, token)))
  const other = await open(own, lasting.token)

  own.service.keyChanges.push(
    { number: '1', kind: 'api-key', id: changed.record.id, version: 2 },
    { number: '2', kind: 'workspace', id: workspaceB, version: 2 },
  )

  expect(await Promise.all(streams.map(({ response }) => response.text()))).toEqual(['', '', ''])
  expect(own.service.cancelled).toBe(3)
  other.leave()
})

test('a key that changes between its check and the opening of its stream gets none that lasts', async () => {
  const { token, record } = edge.service.key()
  const { response, leave } = await open(edge, token)
  expect(response.status).toBe(200)
  leave()
  const wire = await openWire(edge.gateway.port)
  wire.send(headOf(token, 'expect: 100-continue'))
  // The head has been judged by now, and its body has yet to come.
  await wire.hear('100 Continue')

  edge.announce({ kind: 'api-key', id: record.id })
  wire.send(bytes)

  expect(await wire.hear('"code":"unavailable"')).toContain('503 Service Unavailable')
  wire.socket.destroy()
})
