// Services that die, freeze or are not ready, behind a gateway: what callers notice of it.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/servers/server.ts'
import { startEdge, type Edge } from '../support/edge.ts'
import { standIn, type StandIn } from '../support/service.ts'

/** Quick to find what is wrong, patient enough for a busy machine. */
const probing = { probeEveryMs: 50, probeWithinMs: 500, resolveEveryMs: 50 }
const slotsOfKey = 16
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
    read: () => edge.call('GET', '/api/v1/me', { token }),
    write: (name = 'x') => edge.call('POST', '/api/v1/projects', { token, body: { name } }),
    [Symbol.asyncDispose]: async () => {
      await edge[Symbol.asyncDispose]()
      await one.close()
      await other.close()
    },
  }
}

test('writes with bodies, small and large, and MCP calls go on to the next address where one takes no connection', async () => {
  await using it = await two({ probing: { ...probing, probeEveryMs: 60_000 } })
  expect((await it.read()).status).toBe(200)
  await it.other.close()

  const names = Array.from({ length: 50 }, (_, at) => at + 'x'.repeat(at % 2 === 0 ? 10 : 200_000))
  const ping = { token: it.token, body: { jsonrpc: '2.0', id: 1, method: 'ping' } }
  const calls = [...names.map(it.write), ...[1, 2, 3, 4].map(() => it.edge.call('POST', '/api/mcp', ping))]

  expect(await statuses(calls)).toEqual([200])
  const arrived = it.one.calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
  const { mcp, rest } = Object.groupBy(arrived, (body) => (body.includes('jsonrpc') ? 'mcp' : 'rest'))
  expect(mcp).toHaveLength(4)
  expect(rest?.toSorted()).toEqual(names.map((name) => JSON.stringify({ name })).toSorted())
})

test('a write that may have arrived is sent to no other service, and a read is', async () => {
  // No probe tells which of the two breaks off, so both get calls.
  await using it = await two({ probing: { ...probing, probeEveryMs: 60_000 } })
  it.other.respond = (_request, response) => void response.destroy()
  const writesAt = ({ calls }: StandIn) => calls.filter(({ method }) => method === 'POST').length

  const writes: number[] = []
  for (const name of ['a', 'b', 'c', 'd']) writes.push((await it.write(name)).status)
  const [ofWell, ofBreaking] = [writesAt(it.one), writesAt(it.other)]
  const reads = [await it.read(), await it.read(), await it.read(), await it.read()]

  expect(ofBreaking).toBeGreaterThan(0)
  expect(ofWell + ofBreaking).toBe(writes.length)
  expect(writes.filter((status) => status === 200)).toHaveLength(ofWell)
  expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('a write that was sent to a service that freezes is not repeated; the answer says what may have happened', async () => {
  const timeouts = { connectMs: 500, headersMs: 2_500, bodyMs: 2_500, requestMs: 30_000 }
  await using it = await two({ timeouts })
  await it.read()
  freeze(it.other)

  const answers = await Promise.all(Array.from({ length: 4 }, () => it.write()))

  const sent = [...it.one.calls, ...it.other.calls].filter(({ method }) => method === 'POST')
  expect(sent).toHaveLength(4)
  const late = answers.find(({ status }) => status === 504)
  const detail = expect.stringMatching(/may have been made all the same.*Idempotency-Key/)
  expect(late?.body).toMatchObject({ code: 'timeout', detail })
})

test('writes that hang at a frozen service take no slots from those that can be served', async () => {
  const timeouts = { headersMs: 30_000, slotMs: 8_000 }
  await using it = await two({ timeouts })
  await it.read()
  const held: (() => void)[] = []
  const answered: number[] = []
  it.other.respond = (_request, response) => void held.push(() => response.end('{}'))
  const writes = Array.from({ length: 60 }, () => it.write().then(({ status }) => answered.push(status)))
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

test('a secret that differs shows in /ready, and no caller gets the answer that its key is wrong', async () => {
  await using edge = await startEdge({ probing, internalSecret: 'a secret that the service does not know, 32+' })

  const ready = await edge.call('GET', '/ready')
  const call = await edge.call('GET', '/api/v1/me', { token: edge.service.key().token })

  expect([ready.status, ready.body.detail]).toEqual([503, expect.stringContaining('INTERNAL_SECRET differs')])
  expect([call.status, call.body.code]).toEqual([503, 'unavailable'])
})

test('a gateway that finds no usable service starts all the same, and says so once services had the time to start', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const services = [`http://127.0.0.1:${await freePort()}`]
  await using edge = await startEdge({ services, log, probing })
  const warnings = () => lines.filter((line) => line.includes('no service is usable yet')).length
  const saidAtOnce = warnings()
  await using patient = await startEdge({ services, log, probing: { ...probing, startGraceMs: 1 } })

  expect((await edge.call('GET', '/health')).status).toBe(200)
  expect((await patient.call('GET', '/health')).status).toBe(200)
  await eventually(() => warnings() > 0, 'the warning')
  expect([saidAtOnce, warnings()]).toEqual([0, 1])
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
