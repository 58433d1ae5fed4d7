// One caller’s share of the way to the service: slow ones, and those that ask for much, hold up nobody else.
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { GatewayOptions } from '../../../gateway/server.ts'
import { eventually } from '../../support/eventually.ts'
import { operatorToken, startEdge, type Edge } from '../support/edge.ts'
import { answerOk, holding, within, workspaceA, workspaceB, type Respond } from '../support/service.ts'
import { requestText, sendOnEach } from '../support/wire.ts'

const ofKey = 16
const ofWorkspace = 40
const ofKeys = 112
const transfersOfKey = 8
const transfersOfWorkspace = 16
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
const ever = 60_000

let edge: Edge
const start = async (timeouts: NonNullable<GatewayOptions['timeouts']>) => void (edge = await startEdge({ timeouts }))
afterEach(() => edge[Symbol.asyncDispose]())

const spaces = Buffer.alloc(65_536, 0x20)
const endless: Respond = (_request, response) => {
  const body = new Readable({ read: () => void body.push(spaces) })
  body.pipe(response).once('close', () => body.destroy())
}

const keyIn = (id: string): string => edge.service.key({ workspaces: [within(id)], scopes: ['projects:write'] }).token
const get = (path: string, token: string): string => requestText(`GET ${path}`, { token })
const post = (path: string, token: string, framing: string, body: string): string =>
  requestText(`POST ${path}`, { token, headers: [framing, 'accept: application/json, text/event-stream'], body })
const send = (count: number, text: string | ((at: number) => string)) => sendOnEach(edge.gateway.port, count, text)

test('a key that never reads its answers holds its share and no more, and is cut off; meanwhile all others are served', async () => {
  await start({ slotMs: 500, stalledMs: 1_000 })
  const isUnread = (url = '') => ['/api/v1/projects', '/api/mcp'].includes(url)
  edge.service.respond = (...asked) => (isUnread(asked[0].url) ? endless(...asked) : answerOk(...asked))
  const [greedy, other] = [keyIn(workspaceA), keyIn(workspaceB)]
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  const overMcp = post('/api/mcp', greedy, `content-length: ${ping.length}`, ping)
  const wires = await send(3 * ofKey, (at) => (at % 2 === 0 ? get('/api/v1/projects', greedy) : overMcp))
  for (const { socket } of wires) socket.pause()
  await eventually(() => edge.service.calls.length >= ofKey, 'its share is taken')

  const beside = await edge.call('GET', '/api/v1/me', { token: other })
  const operator = await edge.call('GET', '/settings/api/workspaces', { token: operatorToken })

  expect([beside.status, operator.status]).toEqual([200, 200])
  await eventually(() => edge.service.cancelled >= ofKey, 'what is not read is cut off')
  const isServed = async () => (await edge.call('GET', '/api/v1/me', { token: greedy })).status === 200
  await eventually(isServed, 'its slots are free')
  for (const { socket } of wires) socket.destroy()
})

test('downloads that nobody reads hold their share of the places of transfers: neither calls nor downloads of others wait', async () => {
  await start({ slotMs: ever, stalledMs: ever })
  edge.service.respond = (...asked) => (asked[0].url?.endsWith('/content') ? endless(...asked) : answerOk(...asked))
  const readers = [workspaceA, workspaceA, workspaceA, workspaceB].map((id, n) => ({
    token: edge.service.key({ workspaces: [within(id)], scopes: ['files:read'] }).token,
    path: `/api/v1/files/01900000-0000-7000-8000-00000000000${n}/content`,
  }))
  const served = () => readers.map(({ path }) => edge.service.calls.filter(({ url }) => url === path).length)
  const [greedy, mate, third, other] = readers.map(({ token, path }) => async (count: number) => {
    const wires = await send(count, get(path, token))
    for (const { socket } of wires) socket.pause()
    return wires
  })

  const wires = [await greedy?.(3 * transfersOfKey), await mate?.(3 * transfersOfKey), await third?.(1)]
  await eventually(() => sum(served()) === transfersOfWorkspace, 'the workspace has its share')
  wires.push(await other?.(1))
  await eventually(() => served()[3] === 1, 'another workspace is served')
  const beside = await Promise.all(readers.map(({ token }) => edge.call('GET', '/api/v1/me', { token })))

  expect(beside.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(served()).toEqual([transfersOfKey, transfersOfKey, 0, 1])
  for (const { socket } of wires.flatMap((each) => each ?? [])) socket.destroy()
})

test('bodies that come byte by byte hold no slot while they are small', async () => {
  await start({ slotMs: ever, bodyWindowMs: ever, requestMs: ever })
  const token = keyIn(workspaceA)
  const trickling = post('/api/v1/projects', token, 'content-length: 60000', '{')
  const chunked = post('/api/v1/projects', token, 'transfer-encoding: chunked', '1\r\n{\r\n')
  const batch = post('/api/v1/projects/batch', token, 'content-length: 900000', '{')
  const overMcp = post('/api/mcp', token, 'content-length: 400000', '{')
  const wires = await send(80, (at) => [trickling, chunked, batch, overMcp][at % 4]!)
  await eventually(() => edge.service.asked.length === 1, 'the key is known')
  for (const wire of wires) wire.send(' ')

  const answers = await Promise.all(Array.from({ length: 20 }, () => edge.call('GET', '/api/v1/me', { token })))

  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect(edge.service.calls).toHaveLength(20)
  for (const { socket } of wires) socket.destroy()
})

test('a large body that comes too slowly ends with 408, and its slot is free', async () => {
  await start({ slotMs: ever, bodyWindowMs: 300 })
  const token = keyIn(workspaceA)
  const wires = await send(ofKey, post('/api/v1/projects', token, 'content-length: 100000', '{'))

  for (const wire of wires) {
    expect(await wire.hear('"code":"request_timeout"')).toContain('HTTP/1.1 408 Request Timeout')
    await eventually(() => wire.closed(), 'the connection ends')
  }

  await eventually(() => edge.service.cancelled === ofKey, 'no call to the service is left')
  expect((await edge.call('GET', '/api/v1/me', { token })).status).toBe(200)
})

test('a large body reaches the service byte for byte, with its length and in chunks', async () => {
  await start({})
  const body = JSON.stringify({ name: 'x', description: Array.from({ length: 60_000 }, (_, at) => at).join(' ') })
  const whole = post('/api/v1/projects', keyIn(workspaceA), `content-length: ${body.length}`, body)
  const chunks = `${chunksOf(body).join('')}0\r\n\r\n`
  const inChunks = post('/api/v1/projects', keyIn(workspaceA), 'transfer-encoding: chunked', chunks)

  for (const wire of await send(2, (at) => [whole, inChunks][at]!)) await wire.hear('{"ok":true}')

  expect(edge.service.calls.map((call) => call.body)).toEqual([body, body])
})

const chunksOf = (body: string): string[] =>
  (body.match(/[^]{1,30000}/g) ?? []).map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)

test('a quiet key is served at once beside one of its workspace that has a hundred calls under way, and none of those is lost', async () => {
  await start({ slotMs: ever })
  const held: (() => void)[] = []
  edge.service.respond = (...asked) =>
    asked[0].url === '/api/v1/me' ? answerOk(...asked) : void held.push(() => answerOk(...asked))
  const [busy, quiet] = [keyIn(workspaceA), keyIn(workspaceA)]
  const answers = Array.from({ length: 100 }, () => edge.call('GET', '/api/v1/projects', { token: busy }))
  await eventually(() => held.length === ofKey, 'its share is taken')

  expect((await edge.call('GET', '/api/v1/me', { token: quiet })).status).toBe(200)
  expect(held).toHaveLength(ofKey)

  edge.service.respond = answerOk
  held.forEach((answer) => answer())
  expect((await Promise.all(answers)).filter(({ status }) => status !== 200)).toEqual([])
})

test('a call that finds no slot in time is refused with 503 and may be tried again; one whose caller leaves is never made', async () => {
  await start({ slotMs: 300 })
  const { held, respond } = holding()
  edge.service.respond = respond
  const token = keyIn(workspaceA)
  const under = Array.from({ length: ofKey }, () => edge.call('GET', '/api/v1/projects', { token }))
  await eventually(() => held.length === ofKey, 'its share is taken')
  const [leaving] = await send(1, get('/api/v1/projects', token))

  const [refused, overMcp] = await Promise.all([
    edge.call('GET', '/api/v1/projects', { token }),
    edge.call('POST', '/api/mcp', { token, body: { jsonrpc: '2.0', id: 7, method: 'ping' } }),
  ])
  leaving!.socket.destroy()
  held.forEach((response) => response.end('{}'))
  await Promise.all(under)

  const type = 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity'
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(refused.body).toMatchObject({ code: 'unavailable', type, 'violated-policies': ['concurrency'] })
  expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=/)
  expect([overMcp.status, overMcp.body.id, overMcp.body.error.data.code]).toEqual([503, 7, 'unavailable'])
  expect(edge.service.calls).toHaveLength(ofKey)
})

test('a workspace has its share however many keys it has, and where all is taken and nothing ends, /ready says so', async () => {
  await start({ slotMs: ever, stuckMs: 300 })
  const workspaces = [workspaceA, workspaceB, crypto.randomUUID()]
  const tokens = workspaces.flatMap((id) => [keyIn(id), keyIn(id), keyIn(id)])
  edge.service.respond = () => {}
  const ofFirst = await send(3 * ofKey, (at) => get('/api/v1/projects', tokens[at % 3]!))
  await eventually(() => edge.service.calls.length === ofWorkspace, 'the share of a workspace is taken')
  expect((await edge.call('GET', '/ready')).status).toBe(200)

  const ofOthers = await send(6 * ofKey, (at) => get('/api/v1/projects', tokens[3 + (at % 6)]!))
  const readyIs = async (status: number) => (await edge.call('GET', '/ready')).status === status
  await eventually(() => readyIs(503), 'it says that it is not ready')

  await eventually(() => edge.service.calls.length === ofKeys, 'all that has a slot arrives')
  for (const { socket } of [...ofFirst, ...ofOthers]) socket.destroy()
  await eventually(() => readyIs(200), 'it is ready again')
})
