// Hundreds of ways into the operator's network, through the rules of registration and through the real sender, down to
// the system call that would connect.
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import { ranges } from '#runtime/ip-address.ts'
import { resolver } from '../../../dispatcher/attempt/dns.ts'
import { TargetError } from '../../../dispatcher/attempt/network-errors.ts'
import { openSender, type SenderOptions } from '../../../dispatcher/attempt/send.ts'
import { guardedConnector, isOwnAddress } from '../../../dispatcher/attempt/ssrf-guard.ts'
import { receiverUrl } from '../../../service/webhooks/receiver-url.ts'
import { startDnsServer, type DnsServer, type DnsZone } from '../../support/dns-server.ts'
import { eventually } from '../../support/eventually.ts'
import { recordConnects, type RecordedConnects } from '../../support/record-connects.ts'
import * as targets from './ssrf-targets.ts'
import { http, tcp } from './wire.ts'

const { forbiddenHosts, forbiddenNames, internalNames, invalid, permitted, unknownNames } = targets

let dns: DnsServer
let connects: RecordedConnects
/** The one that is there, and may be connected to; none yet. */
let receiverPort: number | null = null
let sender: ReturnType<typeof openSender>
beforeAll(async () => {
  dns = await startDnsServer(targets.zone)
  connects = await recordConnects((address, port) => address === '127.0.0.1' && port === receiverPort)
  sender = senderAsking(dns)
})
afterAll(async () => {
  await sender.close()
  connects[Symbol.dispose]()
  await dns[Symbol.asyncDispose]()
})

const senderAsking = ({ address }: DnsServer, more: Partial<SenderOptions> = {}, now = () => 0) =>
  openSender({
    allowed: [],
    allowHttp: true,
    isOwnPort: () => false,
    proxy: null,
    timeoutMs: 30_000,
    resolve: resolver({ local: false, servers: [address], queryMs: 5_000, now }),
    ...more,
  })

/** What a registration answers, and what the sender does, connections included. */
async function outcome(url: string) {
  connects.made.length = 0
  const answer = await sender.send(url, {}, Buffer.from('{}'))
  const sent = answer.kind === 'failed' ? answer.error : answer.kind
  return { registered: isRegistered(url), sent, connects: connects.made.filter(isTo(url)) }
}

/** Whether a connection is one to the port of the URL: a file before this one may have left another behind. */
function isTo(url: string): (made: string) => boolean {
  const parsed = URL.parse(url)
  if (parsed === null) return () => true
  const port = parsed.port === '' ? (parsed.protocol === 'http:' ? '80' : '443') : parsed.port
  return (made) => made.endsWith(`:${port}`)
}

function isRegistered(url: string): boolean {
  try {
    return receiverUrl(url, { ranges: [], http: true }) !== ''
  } catch (error) {
    if (error instanceof Fault && error.code === 'validation_failed') return false
    throw error
  }
}

test('there are enough of them', () => {
  const all = [...invalid, ...forbiddenHosts, ...internalNames, ...Object.keys(forbiddenNames), ...unknownNames]
  expect(new Set(all).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(200)
  expect(Object.keys(permitted).length).toBeGreaterThanOrEqual(15)
})

const to = (scheme: string, hosts: readonly string[]) => hosts.map((host) => `${scheme}://${host}/x`)
const badNames = Object.keys(forbiddenNames)

test.each([
  ['what is no address of a webhook is refused both times', invalid, false, 'invalid_url'],
  ['a forbidden address behind https is refused both times', to('https', forbiddenHosts), false, 'blocked_address'],
  ['a forbidden address behind http is refused both times', to('http', forbiddenHosts), false, 'blocked_address'],
  ['an internal name is refused at registration, unknown later', to('https', internalNames), false, 'dns_error'],
  ['a name with a forbidden address among its addresses is refused', to('https', badNames), true, 'blocked_address'],
  ['a name that leads nowhere is taken at registration, unknown later', to('https', unknownNames), true, 'dns_error'],
])('%s, and nothing is connected to', async (_what, urls, registered, sent) => {
  for (const url of urls) expect([url, await outcome(url)]).toEqual([url, { registered, sent, connects: [] }])
})

test('what webhooks are for reaches the system call, with exactly the addresses that were resolved', async () => {
  for (const [url, reached] of Object.entries(permitted)) {
    const { registered, sent, connects: made } = await outcome(url)
    expect([url, registered, sent, made.toSorted()]).toEqual([url, true, 'connect_error', [...reached].toSorted()])
  }
})

test('a name that leads elsewhere with every answer has its first addresses alone, and is judged anew after that', async () => {
  let answers = 0
  const rebinding: DnsZone = (_name, type) =>
    type === 'A' ? { records: [{ type, value: answers++ === 0 ? '93.184.216.34' : '127.0.0.1', ttl: 0 }] } : {}
  await using server = await startDnsServer(rebinding)
  let nowMs = 0
  const { send, close } = senderAsking(server, {}, () => nowMs)
  const url = 'https://rebinding.evil.com/'
  const sent = async () => (await send(url, {}, Buffer.from('{}'))) as { error: string }
  const made = () => connects.made.filter(isTo(url))
  connects.made.length = 0

  expect([await sent(), await sent()]).toMatchObject([{ error: 'connect_error' }, { error: 'connect_error' }])
  expect(made()).toEqual(['93.184.216.34:443', '93.184.216.34:443'])

  nowMs = 60_000
  expect(await sent()).toMatchObject({ error: 'blocked_address' })
  expect(made()).toHaveLength(2)
  await close()
})

test('a redirect into the network is an answer, and nobody connects to where it leads', async () => {
  const inside = ['127.0.0.1', '169.254.169.254/latest', '[::1]', 'private.evil.com'].map((host) => `https://${host}/`)
  const answers = [...inside, 'http://127.0.0.1/', '//10.0.0.1/'].flatMap((location) =>
    [301, 302, 303, 307, 308].map((status) => ({ status, location })),
  )
  const given = [...answers]
  const { port } = await http((_request, response) => {
    const { status = 500, location = '' } = given.shift() ?? {}
    response.writeHead(status, { location }).end()
  })
  receiverPort = port
  connects.made.length = 0
  const { send, close } = senderAsking(dns, { allowed: ranges(['127.0.0.1']) })

  for (const { status } of answers)
    expect(await send(`http://127.0.0.1:${port}/`, {}, Buffer.from('{}'))).toMatchObject({ kind: 'answered', status })

  const isOfTheTest = (made: string) => [port, 80, 443].some((each) => made.endsWith(`:${each}`))
  expect(new Set(connects.made.filter(isOfTheTest))).toEqual(new Set([`127.0.0.1:${port}`]))
  await close()
})

// The address that a connection was made to is judged once more, whatever was judged before it was made.

const loopback = async () => [{ address: '127.0.0.1', family: 4 as const }]

test.each(['receiver.example', '127.0.0.1'])(
  'a connection to %s that reached an address not permitted is ended unused',
  async (hostname) => {
    let bytes = 0
    const server = await tcp((socket) => socket.on('data', (chunk) => (bytes += chunk.length)))
    receiverPort = server.port
    const asked: string[] = []
    // As of a name or a route that leads elsewhere a moment later: what was permitted is so no more.
    const permits = (address: string) => asked.push(address) === 1

    const connect = guardedConnector({ permitsAt: () => permits, resolve: loopback, timeoutMs: 1_000 })
    const target = { hostname, host: hostname, port: String(server.port), protocol: 'http:' }
    const outcome = await new Promise((resolve) =>
      connect(target, (error, socket) => resolve(error ?? socket?.destroy())),
    )

    expect(outcome).toBeInstanceOf(TargetError)
    expect(outcome).toMatchObject({ reason: 'blocked_address' })
    expect(asked).toEqual(['127.0.0.1', '127.0.0.1'])
    await eventually(() => server.open() === 0, 'the end of the connection')
    expect([server.connections(), bytes]).toEqual([1, 0])
  },
)

test('the addresses of this machine are its own, however they are written', () => {
  const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const own = interfaces.map(({ address }) => address)

  for (const address of [...own, '127.0.0.1', '::ffff:127.0.0.1', '0.0.0.0', '::1', '0:0:0:0:0:0:0:1', '::'])
    expect(isOwnAddress(address), address).toBe(true)
  for (const address of ['93.184.216.34', '2606:4700::1111', '169.254.169.254', 'nonsense'])
    expect(isOwnAddress(address), address).toBe(false)
})
