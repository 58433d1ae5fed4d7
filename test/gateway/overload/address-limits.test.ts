// What one address may have at once, over connections and behind a proxy.
import { spawnSync } from 'node:child_process'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { connectionsThatFit, defaultCallerBounds } from '../../../gateway/overload/address-limits.ts'
import { eventually } from '../../support/eventually.ts'
import { startEdge, type Edge } from '../support/edge.ts'
import { answerOk, holding } from '../support/service.ts'
import { openWire, requestText, sendOnEach, type Wire } from '../support/wire.ts'

const health = requestText('GET /health')
const openWires = ({ gateway }: Edge, count: number): Promise<Wire[]> => sendOnEach(gateway.port, count, '')
const isServed = async (wire: Wire): Promise<boolean> => {
  wire.send(health)
  await eventually(() => wire.closed() || wire.heard().includes('{"status":"ok"}'), 'an answer')
  return wire.heard().includes('{"status":"ok"}')
}
const close = (wires: readonly Wire[]): void => wires.forEach(({ socket }) => socket.destroy())
const anotherIsServed = ({ gateway }: Edge) =>
  eventually(async () => {
    const next = await openWire(gateway.port)
    const served = await isServed(next)
    close([next])
    return served
  }, 'another one is served')
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const callFrom = ({ call, service }: Edge, address: string, path = '/api/v1/me') => {
  const options = { token: service.key().token, headers: { 'x-forwarded-for': address } }
  return path === '/api/mcp' ? call('POST', path, { ...options, body: ping }) : call('GET', path, options)
}

test.each([
  ['an address has so many connections', 3, { connectionsPerAddressMax: 3 }],
  [
    'a trusted proxy is many callers, and has as many as there are in all',
    6,
    { connectionsPerAddressMax: 1, connectionsMax: 6, trustedProxies: ['127.0.0.1'] },
  ],
])('%s; one more is closed, and may come back when one has ended', async (_who, most, options) => {
  await using edge = await startEdge(options)
  const wires = await openWires(edge, most)
  expect(await Promise.all(wires.map(isServed))).toEqual(wires.map(() => true))

  const refused = await openWire(edge.gateway.port)
  await eventually(() => refused.closed(), 'it is closed')

  // Over the bound of all, nobody is told why.
  const told = /^HTTP\/1\.1 429 .*retry-after: 1\r\n.*"code":"rate_limited".*"violated-policies":\["connections"\]/s
  if (most === 3) expect(refused.heard()).toMatch(told)
  close(wires.slice(0, 1))
  await anotherIsServed(edge)
  expect(await Promise.all(wires.slice(1).map(isServed))).toEqual(wires.slice(1).map(() => true))
  close(wires)
})

test.each([
  [null, 10_000],
  [20_000, 10_000],
  [10_512, 10_000],
  [10_511, 9_999],
  [1_024, 512],
  [600, 150],
  [20, 16],
])('of %j open files, %i are left to connections of callers', (openFiles, most) => {
  expect(connectionsThatFit(defaultCallerBounds, openFiles)).toBe(most)
})

test('where the limit of open files has room for fewer connections than the setting, the start says so, and so many are served', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  await using edge = await startEdge({ openFiles: 40, connectionsMax: 20, log })
  await using _roomy = await startEdge({ openFiles: 40, connectionsMax: 16, log })

  const [said, ...more] = lines.filter((line) => line.includes('CONNECTIONS_MAX'))
  expect(said).toMatch(/\(40\) has room for 16 .*raise the limit \(ulimit -n\) or lower the setting/)
  expect(more).toEqual([])
  const wires = await openWires(edge, 16)
  expect(await Promise.all(wires.map(isServed))).toEqual(wires.map(() => true))
  const refused = await openWire(edge.gateway.port)
  await eventually(() => refused.closed(), 'it is closed')
  close(wires)
})

test('the limit of open files is that of the process', async () => {
  const program = `import { openFilesMax } from '#runtime/open-files.ts'; console.log(openFilesMax())`
  const asked = spawnSync('sh', [
    '-c',
    `ulimit -n 600; exec "$0" --input-type=module -e "$1"`,
    process.execPath,
    program,
  ])

  expect(asked.stdout.toString()).toBe('600\n')
})

test('a caller behind a proxy, or a network of 64 bits, has so many calls under way, whatever its keys; all others are served', async () => {
  await using edge = await startEdge({ callsPerAddressMax: 4, trustedProxies: ['127.0.0.1'] })
  const { held, respond } = holding()
  edge.service.respond = respond
  const call = (address: string, path?: string) => callFrom(edge, address, path)
  const [caller, neighbour] = ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2']
  const paths = ['/api/v1/me', '/api/v1/me', '/api/v1/projects', '/api/mcp']
  const under = paths.map((path, at) => call(at % 2 === 0 ? caller : neighbour, path))
  await eventually(() => held.length === 4, 'they are under way')

  const [rest, mcp] = [await call(caller), await call(neighbour, '/api/mcp')]
  const others = ['198.51.100.2', '2001:db8:0:2::1', '127.0.0.1', '127.0.0.1'].map((address) => call(address))
  await eventually(() => held.length === 8, 'those of others arrive')

  expect(rest).toMatchObject({ status: 429, body: { code: 'rate_limited', 'violated-policies': ['address'] } })
  expect(rest.headers.get('retry-after')).toBe('1')
  expect([mcp.status, mcp.body.error.data.code]).toEqual([429, 'rate_limited'])
  held.forEach((response) => response.end('{}'))
  expect((await Promise.all([...under, ...others])).map(({ status }) => status)).toEqual(Array(8).fill(200))
  edge.service.respond = answerOk
  expect((await call(caller)).status).toBe(200)
})

test('a connection stays open for longer than a balancer keeps it, and says so; a header counts however many came before', async () => {
  await using edge = await startEdge()
  const headers = [...Array(1_500).fill('a:'), `x-workspace-id: ${crypto.randomUUID()}`]
  const wire = await openWire(
    edge.gateway.port,
    requestText('GET /api/v1/projects', { token: edge.service.key().token, headers }),
  )

  expect(await wire.hear('"code":"workspace_not_allowed"')).toMatch(/keep-alive: timeout=75\r\n/i)
  close([wire])
})
