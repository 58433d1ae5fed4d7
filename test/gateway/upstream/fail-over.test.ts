// Services that die, freeze or are not ready, behind a gateway: what callers notice of it.
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/servers/server.ts'
import { startEdge, type Edge } from '../support/edge.ts'
import { standIn, type StandIn } from '../support/service.ts'

/** Quick to find what is wrong, patient enough for a busy machine. */
const probing = { probeEveryMs: 50, probeWithinMs: 500, resolveEveryMs: 50 }
const slotsOfKey = 16
const byNumber = (a: number, b: number): number => a - b
const never = () => new Promise<never>(() => {})

const freeze = (service: StandIn): void => {
  service.respond = () => {}
  service.beforeReady = never
  service.beforeKey = never
}
const usable = (edge: Edge, count: number) =>
  eventually(async () => (await edge.call('GET', '/ready')).body.services?.usable === count, `${count} usable services`)
const statuses = async (calls: readonly ReturnType<Edge['call']>[]): Promise<number[]> => [
  ...new Set((await Promise.all(calls)).map(({ status }) => status)),
]

/** Two services that know one key. */
async function two(more: Parameters<typeof startEdge>[0] = {}) {
  const [one, other] = [await standIn(), await standIn()]
  const edge = await startEdge({ services: [one.url, other.url], probing, ...more })
  const { token, record } = one.key()
  other.know(token, record)
  return {
    one,
    other,
    edge,
    token,
    [Symbol.asyncDispose]: async () => {
      await edge[Symbol.asyncDispose]()
      await one.close()
      await other.close()
    },
  }
}

test('writes with bodies, small and large, go on to the next address where one takes no connection', async () => {
  await using it = await two({ probing: { ...probing, probeEveryMs: 60_000 } })
  expect((await it.edge.call('GET', '/api/v1/me', { token: it.token })).status).toBe(200)
  await it.other.close()

  const bodies = Array.from({ length: 50 }, (_, index) => ({ name: 'x'.repeat(index % 2 === 0 ? 10 : 200_000) }))
  const calls = bodies.map((body) => it.edge.call('POST', '/api/v1/projects', { token: it.token, body }))

  expect(await statuses(calls)).toEqual([200])
  const arrived = it.one.calls.filter(({ method }) => method === 'POST').map(({ body }) => body.length)
  expect(arrived.toSorted(byNumber)).toEqual(bodies.map((body) => JSON.stringify(body).length).toSorted(byNumber))
})

test('MCP calls go on to the next address as well', async () => {
  await using it = await two({ probing: { ...probing, probeEveryMs: 60_000 } })
  await it.other.close()

  const call = { token: it.token, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }
  const calls = Array.from({ length: 4 }, () => it.edge.call('POST', '/api/mcp', call))

  expect(await statuses(calls)).toEqual([200])
  expect(it.one.calls).toHaveLength(4)
})

test('a dead address gets probes only: not one connection for fifty writes', async () => {
  await using it = await two()
  const port = Number(new URL(it.other.url).port)
  await it.other.close()
  await usable(it.edge, 1)
  const counting = await countConnections(port)

  const calls = Array.from({ length: 50 }, () =>
    it.edge.call('POST', '/api/v1/projects', { token: it.token, body: { name: 'x' } }),
  )

  expect(await statuses(calls)).toEqual([200])
  expect(counting.requests.filter((head) => !head.startsWith('GET /internal/ready '))).toEqual([])
  counting.server.close()
})

test('reads in flight at a service that freezes are answered by the other, and no later call goes there', async () => {
  await using it = await two()
  await it.edge.call('GET', '/api/v1/me', { token: it.token })
  freeze(it.other)

  const inFlight = Array.from({ length: 20 }, () => it.edge.call('GET', '/api/v1/me', { token: it.token }))
  await eventually(() => it.other.calls.some(({ url }) => url === '/api/v1/me'), 'some arrive at the frozen one')
  expect(await statuses(inFlight)).toEqual([200])

  await usable(it.edge, 1)
  const before = it.other.calls.length
  const writes = Array.from({ length: 20 }, () =>
    it.edge.call('POST', '/api/v1/projects', { token: it.token, body: { name: 'x' } }),
  )
  expect(await statuses(writes)).toEqual([200])
  expect(it.other.calls.length).toBe(before)
  expect((await it.edge.call('GET', '/ready')).status).toBe(200)
})

test('a write that was sent to a service that freezes is not repeated; the answer says what may have happened', async () => {
  const timeouts = { connectMs: 500, headersMs: 2_500, bodyMs: 2_500, requestMs: 30_000 }
  await using it = await two({ timeouts })
  await it.edge.call('GET', '/api/v1/me', { token: it.token })
  freeze(it.other)

  const create = () => it.edge.call('POST', '/api/v1/projects', { token: it.token, body: { name: 'x' } })
  const answers = await Promise.all([create(), create(), create(), create()])

  const sent = [...it.one.calls, ...it.other.calls].filter(({ method }) => method === 'POST')
  expect(sent).toHaveLength(4)
  const late = answers.find(({ status }) => status === 504)
  expect(late?.body.detail).toMatch(/may have been made all the same.*Idempotency-Key/)
})

test('writes that hang at a frozen service take no slots from those that can be served', async () => {
  const timeouts = { headersMs: 30_000, slotMs: 8_000 }
  await using it = await two({ timeouts })
  await it.edge.call('GET', '/api/v1/me', { token: it.token })
  const held: (() => void)[] = []
  const answered: number[] = []
  it.other.respond = (_request, response) => void held.push(() => response.end('{}'))
  const writes = Array.from({ length: 60 }, () =>
    it.edge
      .call('POST', '/api/v1/projects', { token: it.token, body: { name: 'x' } })
      .then(({ status }) => answered.push(status)),
  )
  await eventually(() => held.length === slotsOfKey, 'all slots of the key are held')

  freeze(it.other)

  await eventually(() => answered.length + held.length === writes.length, 'all that do not hang are answered')
  for (const end of held) end()
  await Promise.all(writes)
  expect([...new Set(answered)]).toEqual([200])
  expect(held.length).toBe(slotsOfKey)
})

test('a key is fetched from another service when the first one freezes', async () => {
  await using it = await two()
  freeze(it.other)
  const keys = Array.from({ length: 6 }, () => it.one.key())

  const calls = keys.map(({ token }) => it.edge.call('GET', '/api/v1/me', { token }))

  expect(await statuses(calls)).toEqual([200])
  expect(it.other.asked.length).toBeGreaterThan(0)
})

test('a service that says that it is not ready gets no calls', async () => {
  await using it = await two()
  it.other.beforeReady = async () => 503
  await usable(it.edge, 1)

  const calls = Array.from({ length: 10 }, () => it.edge.call('GET', '/api/v1/me', { token: it.token }))

  expect(await statuses(calls)).toEqual([200])
  expect([it.one.calls.length, it.other.calls.length]).toEqual([10, 0])
})

test('a secret that differs shows in /ready, and no caller gets the answer that its key is wrong', async () => {
  await using edge = await startEdge({ probing, internalSecret: 'a secret that the service does not know, 32+' })

  const ready = await edge.call('GET', '/ready')
  const call = await edge.call('GET', '/api/v1/me', { token: edge.service.key().token })

  expect([ready.status, ready.body.detail]).toEqual([503, expect.stringContaining('INTERNAL_SECRET differs')])
  expect([call.status, call.body.code]).toEqual([503, 'unavailable'])
})

test('a gateway that finds no usable service starts all the same, and says so', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  await using edge = await startEdge({ services: [`http://127.0.0.1:${await freePort()}`], log, probing })

  expect((await edge.call('GET', '/health')).status).toBe(200)
  expect(lines[0]).toContain('no service is usable yet')
})

test('/ready is answered from what is known, and calls no service', async () => {
  await using edge = await startEdge({ probing: { ...probing, probeEveryMs: 60_000 } })
  const { probes } = edge.service

  const answers = Array.from({ length: 50 }, () => edge.call('GET', '/ready'))

  expect(await statuses(answers)).toEqual([200])
  expect(edge.service.probes).toBe(probes)
})

test('one name with two addresses is two services, each called by that name; a new address joins', async () => {
  const port = await freePort()
  await using one = await standIn(port, '127.0.0.1')
  await using other = await standIn(port, '127.0.0.2')
  const found = ['127.0.0.1']
  await using edge = await startEdge({
    services: [`http://service.test:${port}`],
    probing,
    resolve: async () => [...found],
  })
  const { token, record } = one.key()
  other.know(token, record)
  const read = () => edge.call('GET', '/api/v1/me', { token })
  expect((await read()).status).toBe(200)

  found.push('127.0.0.2')
  await usable(edge, 2)

  await eventually(async () => (await read()).status === 200 && other.calls.length > 0, 'the new one gets calls')
  expect(other.calls[0]?.headers.host).toBe(`service.test:${port}`)
})

/** What stands where a service was: takes connections, notes what it is asked, and says nothing. */
async function countConnections(port: number): Promise<{ server: Server; requests: string[] }> {
  const requests: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (chunk: Buffer) => {
      requests.push(chunk.toString('latin1'))
      socket.destroy()
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { server, requests }
}
