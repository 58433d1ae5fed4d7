// Whose address counts, for chains as honest and dishonest callers send them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contains, parseAddress, ranges } from '#runtime/ip-address.ts'
import { clientAddress, baseUrlOf, arrivalOf } from '../../../gateway/request/trusted-proxies.ts'
import { edgeOfFile, type Edge } from '../support/edge.ts'
import { openWire, requestText } from '../support/wire.ts'

const trusted = ranges(['10.0.0.0/8', '2001:db8:1::/48', '::ffff:192.0.2.0/120'])
const caller = '198.51.100.1'
const addressFor = (peer: string | undefined, chain: string | undefined): string | undefined =>
  clientAddress(peer, chain, trusted)?.toString()

test.each([
  ['no proxy at all', '203.0.113.9', undefined, '203.0.113.9'],
  ['a stranger cannot name another address', '203.0.113.9', caller, '203.0.113.9'],
  ['a mapped peer is its IPv4 address', '::ffff:10.0.0.1', caller, caller],
  ['a trusted IPv6 proxy', '2001:db8:1::5', '2001:DB8:2:0::1', '2001:db8:2::1'],
  ['a zone is no part of the address', 'fe80::1%eth0', undefined, 'fe80::1'],
  ['a connection that is gone', undefined, caller, undefined],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
])('%s', (_name, peer, chain, expected) => {
  expect(addressFor(peer, chain)).toBe(expected)
})

const many = (address: string) => Array<string>(1_000).fill(address).join(', ')

test.each([
  ['one address', caller, caller],
  ['several proxies', `1.1.1.1, ${caller}, 10.0.0.2, 10.0.0.3`, caller],
  ['a stranger between two proxies', `10.9.9.9, ${caller}, 10.0.0.2`, caller],
  ['only trusted ones: the leftmost', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['a proxy as a mapped address', `${caller}, ::ffff:10.0.0.2`, caller],
  ['a caller as a mapped address', `::ffff:${caller}`, caller],
  ['a port', `${caller}:50123`, caller],
  ['a port on the proxy', `${caller}, 10.0.0.2:443`, caller],
  ['an IPv6 caller in brackets', '[2001:db8:2::7]', '2001:db8:2::7'],
  ['an IPv6 caller with a port', '[2001:db8:2::7]:50123', '2001:db8:2::7'],
  ['an IPv6 proxy', `${caller}, 2001:db8:1:ffff::1`, caller],
  ['a chain of a thousand', `${many('203.0.113.9')}, ${caller}`, caller],
])('behind a trusted proxy, %s', (_name, chain, expected) => {
  expect(addressFor('10.0.0.1', chain)).toBe(expected)
})

const nearly = ['999.1.1.1', '198.51.100', '0306.063.0144.01', '3325256705', 'fe80::1%eth0', '::1::']
const withMore = [`"${caller}"`, `for=${caller}`, `${caller} 10.0.0.2`, `${caller}/32`, `${caller}:`, `[${caller}`]
test.each(['', 'unknown', '_hidden', '\xe9', ...nearly, ...withMore])('“%s” ends the chain', (entry) => {
  expect(addressFor('10.0.0.1', `203.0.113.9, ${entry}`)).toBe('10.0.0.1')
})

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6())
const junk = fc.constantFrom('unknown', '', '10.1', '10.0.0.7', '10.0.0.8')
const entry = fc.oneof(anyAddress, junk, fc.string({ maxLength: 8 }))

test('whatever a stranger sends, a stranger keeps the address of the connection', () => {
  const property = fc.property(anyAddress, fc.array(entry), (peer, chain) => {
    const own = parseAddress(peer)
    fc.pre(own !== null && !contains(trusted, own))
    expect(addressFor(peer, chain.join(','))).toBe(own.toString())
  })
  fc.assert(property)
})

test('whatever stands to the left of the first stranger changes nothing', () => {
  const stranger = anyAddress.filter((text) => !contains(trusted, parseAddress(text)!))
  const proxies = fc.array(fc.constantFrom('10.0.0.7', '10.2.0.8'))
  const property = fc.property(fc.array(entry), stranger, proxies, (left, caller, proxies) => {
    const chain = [...left, caller, ...proxies].join(',')
    expect(addressFor('10.0.0.1', chain)).toBe(parseAddress(caller)!.toString())
  })
  fc.assert(property)
})

describe('over the wire', () => {
  const trusting = edgeOfFile({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] }).edge
  const alone = edgeOfFile().edge

  async function asked(edge: Edge, headers: readonly string[], ipAllowlist: string[] = []): Promise<string> {
    const { token } = edge.service.key({ ipAllowlist })
    const wire = await openWire(edge.gateway.port, requestText('GET /api/v1/me', { token, headers }))
    const head = await wire.hear('\r\n\r\n')
    wire.socket.destroy()
    return [head.slice(9, 12), edge.service.calls.at(-1)?.principal?.clientAddress ?? ''].join(' ').trim()
  }

  test('a chain may have several headers; a trusted proxy is believed, nobody else, and no other header', async () => {
    const several = [`X-Forwarded-For: 203.0.113.9, ${caller}`, 'X-Forwarded-For: 10.0.0.2, 10.0.0.3']
    const [only, named] = [[`${caller}/32`], `x-forwarded-for: ${caller}`]
    const others = ['forwarded: for=', 'x-real-ip: ', 'true-client-ip: ', 'client-ip: '].map((name) => name + caller)

    expect(await asked(trusting, several)).toBe(`200 ${caller}`)
    expect(await asked(alone, several)).toBe('200 127.0.0.1')
    expect(await asked(trusting, [named], only)).toBe(`200 ${caller}`)
    expect(await asked(alone, [named], only)).toMatch(/^403/)
    for (const header of [`${named}, 203.0.113.9`, ...others])
      expect(await asked(trusting, [header], only)).toMatch(/^403/)
  })
})

const urlOf = (host: string | undefined, proto?: string, peer = '10.0.0.1'): string | null =>
  baseUrlOf({ ...(host !== undefined && { host }), ...(proto && { 'x-forwarded-proto': proto }) }, peer, trusted)

const noHosts = ['', 'a b', 'a/b', 'a@b', 'a$(b)', '`a`', 'a;b', "a'b", 'a"b', 'a\nb', '-a', 'a:99999999', '[a]b']
type Host = [string | undefined, string | null]
test.each<Host>([
  ['api.example', 'http://api.example'],
  ['API.Example:8080', 'http://api.example:8080'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ...[undefined, ...noHosts].map((none): Host => [none, null]),
])('called by the host %j, our address is %s', (host, expected) => {
  expect(urlOf(host)).toBe(expected)
})

test('only a trusted proxy can say that it was https', () => {
  expect(urlOf('api.example', 'https')).toBe('https://api.example')
  expect(urlOf('api.example', 'https', '203.0.113.1')).toBe('http://api.example')
  expect(urlOf('api.example', 'javascript')).toBe('http://api.example')
})

const withoutProxies = { trustedProxies: trusted, publicUrl: null }
const known = { trustedProxies: trusted, publicUrl: 'https://console.example.com' }
const host = 'console.example.com'
const https = { 'x-forwarded-proto': 'https' }

test.each([
  ['a trusted proxy says https', { host, ...https }, '10.0.0.1', withoutProxies, 'https'],
  ['anybody else says https', { host, ...https }, '203.0.113.1', withoutProxies, 'open'],
  ['nothing is said', { host }, '203.0.113.1', withoutProxies, 'open'],
  ['PUBLIC_URL says that this name is reached by https', { host: `${host}:8080` }, '203.0.113.1', known, 'https'],
  ['PUBLIC_URL speaks of another name', { host: 'other.example.com' }, '203.0.113.1', known, 'open'],
  ['PUBLIC_URL says http', { host }, '203.0.113.1', { ...withoutProxies, publicUrl: `http://${host}` }, 'open'],
  ['the browser names its own machine', { host: 'localhost:8080' }, '127.0.0.1', withoutProxies, 'loopback'],
  ['it does by address', { host: '[::1]:8080' }, '::1', withoutProxies, 'loopback'],
  ['a name only begins like that', { host: 'localhost.example.com' }, '127.0.0.1', withoutProxies, 'open'],
  ['there is no name', {}, '127.0.0.1', withoutProxies, 'open'],
] as const)('%s', (_case, headers, peer, how, transport) => {
  expect(arrivalOf(headers, peer, how).transport).toBe(transport)
})

test('our origins are that of the request and that which callers use; the port is the one named, or that of http', () => {
  const portOf = (name: string) => arrivalOf({ host: name }, '127.0.0.1', withoutProxies).port

  const { ownOrigins } = arrivalOf({ host: 'gateway:8080' }, '10.0.0.1', known)
  expect(ownOrigins).toEqual(['http://gateway:8080', 'https://console.example.com'])
  expect(['localhost:8081', '[::1]:9', 'localhost'].map(portOf)).toEqual(['8081', '9', '80'])
})
