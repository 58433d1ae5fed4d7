// The balancer of docker-compose.yml, with its own configuration; callers may speak HTTP/2, gateways do not.
import { once } from 'node:events'
import { connect, constants, type ClientHttp2Session } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { pageOfFault, statusOf, titleOf } from '#contract/faults/fault.ts'
import { certificate } from '../support/certificates.ts'
import { startEdge } from '../gateway/support/edge.ts'
import { standIn } from '../gateway/support/service.ts'
import { modernRequest } from '../mcp/support/messages.ts'
import { eventually } from '../support/eventually.ts'
import { haproxy, haproxyAddress, startHaproxy, type Balancer } from '../support/servers/haproxy.ts'
import { startSystem, type System, type Tenant } from '../support/system.ts'

const program = haproxy()
const authority = certificate('balancer', { ip: '127.0.0.1', isAuthority: true })

let system: System
let tenant: Tenant
beforeAll(async () => {
  system = await startSystem('standalone', { trustedProxies: [haproxyAddress] })
  tenant = await system.tenant()
})
afterAll(() => system?.[Symbol.asyncDispose]())

type Answer = { readonly status: number; readonly body: unknown }

function opened(session: ClientHttp2Session): ClientHttp2Session {
  onTestFinished(() => session.destroy())
  return session
}

async function ask(session: ClientHttp2Session, head: Record<string, string>, body?: unknown): Promise<Answer> {
  const stream = session.request({ authorization: `Bearer ${tenant.secret}`, ...head })
  stream.end(body === undefined ? undefined : JSON.stringify(body))
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
  return { status: Number(headers[constants.HTTP2_HEADER_STATUS]), body: JSON.parse(await text(stream)) }
}

/** Resolves once the stream has said something, with what it has said so far. */
async function follow(session: ClientHttp2Session, head: Record<string, string>, body?: object): Promise<() => string> {
  const stream = session.request({ authorization: `Bearer ${tenant.secret}`, accept: 'text/event-stream', ...head })
  let heard = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk))
  stream.on('error', () => {})
  stream.end(body === undefined ? undefined : JSON.stringify(body))
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
  expect(headers).toMatchObject({ ':status': 200, 'content-type': expect.stringContaining('text/event-stream') })
  await eventually(() => heard.includes('data:'), 'the first message')
  return () => heard
}

const json = { 'content-type': 'application/json' }
const accept = 'application/json, text/event-stream'
const listening = modernRequest('subscriptions/listen', { notifications: { resourcesListChanged: true } }, { accept })
const listenHead = { ':method': 'POST', ':path': '/api/mcp', ...json, ...listening.headers }

async function startBalanced(more: Parameters<typeof startEdge>[0] = {}) {
  const service = await standIn()
  onTestFinished(service.close)
  const gateways = [await startBehind(service.url, more), await startBehind(service.url, more)]
  const balancer = await startHaproxy(
    program ?? 'haproxy',
    gateways.map(({ address }) => address),
  )
  onTestFinished(balancer.close)
  const get = (token: string, more: Record<string, string> = {}) =>
    fetch(`${balancer.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}`, ...more } }).then(
      ({ status }) => status,
    )
  return { service, gateways, get }
}

async function startBehind(service: string, more: Parameters<typeof startEdge>[0]) {
  const edge = await startEdge({ services: [service], trustedProxies: [haproxyAddress], ...more })
  let ended: Promise<void> | undefined
  const end = () => (ended ??= edge[Symbol.asyncDispose]())
  onTestFinished(end)
  return { address: `127.0.0.1:${edge.gateway.port}`, stop: () => edge.gateway.drain().then(end) }
}

// Skipped by name where the program is not installed, but not where everything must be.
describe.skipIf(program === null && process.env['CI'] === undefined)('through the balancer', () => {
  test('an allowlist judges the caller’s address, and what a caller claims of it counts nothing', async () => {
    const { service, get } = await startBalanced()
    const forged = { 'x-forwarded-for': '203.0.113.7' }
    const fromElsewhere = service.key({ ipAllowlist: ['203.0.113.7'] }).token
    const fromHere = service.key({ ipAllowlist: ['127.0.0.1'] }).token

    await eventually(async () => (await get(fromHere, forged)) === 200, 'a gateway to be found')

    expect(await get(fromElsewhere, forged)).toBe(403)
  })

  test('callers read a problem with its code while no gateway is ready', async () => {
    const balancer = await startHaproxy(program ?? 'haproxy', ['127.0.0.1:1'])
    onTestFinished(balancer.close)

    await eventually(async () => (await fetch(`${balancer.url}/api/v1/me`)).status === 503, 'the gateway to be missed')
    const { headers, ...answer } = await fetch(`${balancer.url}/api/v1/me`).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      body: await response.json(),
    }))

    const [code, type] = ['unavailable' as const, pageOfFault('unavailable')]
    expect(answer).toMatchObject({ status: statusOf(code), body: { code, type, title: titleOf(code), status: 503 } })
    expect([headers.get('content-type'), headers.get('retry-after')]).toEqual(['application/problem+json', '1'])
  })

  test('while a gateway stops its calls go to the other, and none fails', async () => {
    const { service, gateways, get } = await startBalanced({ drainSeconds: 5 })
    const { token } = service.key()
    await eventually(async () => (await get(token)) === 200, 'a gateway to be found')
    const statuses: number[] = []
    let isStopping = true

    const stopping = gateways[0]?.stop().finally(() => (isStopping = false))
    while (isStopping) statuses.push(await get(token))
    for (let again = 0; again < 20; again++) statuses.push(await get(token))
    await stopping

    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

describe.skipIf(program === null && process.env['CI'] === undefined)('through the balancer, HTTP/2', () => {
  let balancer: Balancer
  beforeAll(async () => {
    balancer = await startHaproxy(program ?? 'haproxy', [new URL(system.url).host], authority)
    await eventually(async () => (await fetch(`${balancer.url}/ready`)).ok, 'a gateway to be found')
  })
  afterAll(() => balancer?.close())

  const sessions: [string, () => ClientHttp2Session][] = [
    ['over TLS', () => connect(balancer.secureUrl!, { ca: authority.cert })],
    ['by prior knowledge, without TLS', () => connect(balancer.url)],
  ]

  test.each(sessions)('%s reads, writes, and acts without a body', async (_name, open) => {
    const session = opened(open())
    const made = await ask(session, { ':method': 'POST', ':path': '/api/v1/projects', ...json }, { name: 'Website' })
    const { id } = made.body as { id: string }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const archived = await ask(session, { ':method': 'POST', ':path': `/api/v1/projects/${id}/archive`, ...form })
    const read = await ask(session, { ':path': `/api/v1/projects/${id}` })

    expect([made.status, archived.status, read.status]).toEqual([201, 200, 200])
    expect(read.body).toMatchObject({ name: 'Website', archivedAt: expect.any(String) })
    expect(session.alpnProtocol).toMatch(/^h2c?$/)
  })

  type Stream = { readonly said: string; readonly head: () => Record<string, string>; readonly body?: object }
  const events = (): string => `/settings/api/workspaces/${tenant.workspaceId}/events/stream`
  const asOperator = () => ({ ':path': events(), authorization: `Bearer ${system.operatorToken}` })
  const streams: [string, Stream][] = [
    ['the settings', { said: 'projects.created', head: asOperator }],
    ['MCP', { said: 'notifications/resources/list_changed', head: () => listenHead, body: listening.body }],
  ]
  test.each(streams)('over TLS follows a stream of %s beside other calls', async (_of, { said, head, body }) => {
    const session = opened(connect(balancer.secureUrl!, { ca: authority.cert }))
    const heard = await follow(session, head(), body)

    await ask(session, { ':method': 'POST', ':path': '/api/v1/projects', ...json }, { name: 'New' })

    await eventually(() => heard().includes(said), said)
  })
})

test('a gateway itself answers a caller of HTTP/2 at once, in the words of HTTP/1.1, and closes the connection', async () => {
  const socket = connectTcp(Number(new URL(system.url).port), '127.0.0.1')
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0', 'latin1')

  const answered = await text(socket)

  expect(answered).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*connection: close\r\n/i)
  expect(JSON.parse(answered.slice(answered.indexOf('{')))).toMatchObject({
    code: 'invalid_http',
    detail: expect.stringMatching(/HTTP\/1\.1.*HTTP\/2/),
  })
})
