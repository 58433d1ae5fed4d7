// Whose address counts, for chains as honest and dishonest callers send them.
import fc from 'fast-check'
import { expect, test, afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { contains, parseAddress, ranges } from '#runtime/ip-address.ts'
import { clientAddress, baseUrlOf, arrivalOf } from '../../../gateway/request/trusted-proxies.ts'
import { startEdge, type Edge } from '../support/edge.ts'
import { openWire } from '../support/wire.ts'

const trusted = ranges(['10.0.0.0/8', '2001:db8:1::/48'])
const addressFor = (peer: string | undefined, chain: string | undefined): string | undefined =>
  clientAddress(peer, chain, trusted)?.toString()

test.each([
  ['no proxy at all', '192.0.2.9', undefined, '192.0.2.9'],
  ['a stranger cannot name another address', '192.0.2.9', '198.51.100.1', '192.0.2.9'],
  ['one trusted proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['what the caller wrote stands on the left', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['two trusted proxies', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['a stranger between two trusted proxies', '10.0.0.1', '10.9.9.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['only trusted ones: the leftmost', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['junk stops the walk', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['junk to the left of the caller is never read', '10.0.0.1', 'unknown, 198.51.100.1', '198.51.100.1'],
  ['an empty entry is junk', '10.0.0.1', '198.51.100.1, ', '10.0.0.1'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['decimal and octal spellings are junk', '10.0.0.1', '3232235777', '10.0.0.1'],
  ['a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['an IPv6 address with a port', '10.0.0.1', '[2001:db8:2::1]:4711', '2001:db8:2::1'],
  ['an IPv6 address in brackets', '10.0.0.1', '[2001:db8:2::1]', '2001:db8:2::1'],
  ['a mapped peer is its IPv4 address', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a mapped entry is its IPv4 address', '10.0.0.1', '198.51.100.1, ::ffff:a00:2', '198.51.100.1'],
  ['a trusted IPv6 proxy', '2001:db8:1::5', '2001:DB8:2:0::1', '2001:db8:2::1'],
  ['a zone is no part of the address', 'fe80::1%eth0', undefined, 'fe80::1'],
  ['a connection that is gone', undefined, '198.51.100.1', undefined],
])('%s', (_name, peer, chain, expected) => {
  expect(addressFor(peer, chain)).toBe(expected)
})

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6())
const entry = fc.oneof(
  anyAddress,
  fc.constantFrom('unknown', '', '10.1', '10.0.0.7', '10.0.0.8'),
  fc.string({ maxLength: 8 }),
)

test('whatever a stranger sends, a stranger keeps the address of the connection', () => {
  fc.assert(
    fc.property(anyAddress, fc.array(entry), (peer, chain) => {
      const own = parseAddress(peer)
      fc.pre(own !== null && !contains(trusted, own))
      expect(addressFor(peer, chain.join(','))).toBe(own.toString())
    }),
  )
})

test('whatever stands to the left of the first stranger changes nothing', () => {
  const stranger = anyAddress.filter((text) => !contains(trusted, parseAddress(text)!))
  fc.assert(
    fc.property(
      fc.array(entry),
      stranger,
      fc.array(fc.constantFrom('10.0.0.7', '10.2.0.8')),
      (left, caller, proxies) => {
        const chain = [...left, caller, ...proxies].join(',')
        expect(addressFor('10.0.0.1', chain)).toBe(parseAddress(caller)!.toString())
      },
    ),
  )
})

// Chains of X-Forwarded-For as they come in over the wire: whom the service takes for the caller, and whom an allowlist
// lets in.

const caller = '198.51.100.1'
let trusting: Edge
let alone: Edge
beforeAll(async () => {
  trusting = await startEdge({ trustedProxies: ['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48', '::ffff:192.0.2.0/120'] })
  alone = await startEdge()
})
afterAll(async () => {
  await trusting[Symbol.asyncDispose]()
  await alone[Symbol.asyncDispose]()
})
beforeEach(() => [trusting, alone].forEach(({ service }) => service.calls.splice(0)))

/** The status, and the address that the service heard of. */
async function asked(edge: Edge, headers: readonly string[], ipAllowlist: readonly string[] = []): Promise<string> {
  const { token } = edge.service.key({ ipAllowlist: [...ipAllowlist] })
  const wire = await openWire(edge.gateway.port)
  const lines = ['GET /api/v1/me HTTP/1.1', 'host: gateway', `authorization: Bearer ${token}`, ...headers, '', '']
  wire.socket.write(Buffer.from(lines.join('\r\n'), 'latin1'))
  const head = await wire.hear('\r\n\r\n')
  wire.socket.destroy()
  return [head.slice(9, 12), edge.service.calls.at(-1)?.principal?.clientAddress ?? ''].join(' ').trim()
}

test.each<readonly [string, readonly string[], string]>([
  ['no header', [], '127.0.0.1'],
  ['one address', [caller], caller],
  ['what the caller wrote is on the left', [`203.0.113.9, ${caller}`], caller],
  ['a trusted address that the caller wrote', [`10.0.0.9, ${caller}`], caller],
  ['the same header twice: the last one was added last', ['203.0.113.9', caller], caller],
  ['a chain over two headers', [`203.0.113.9, ${caller}`, '10.0.0.2, 10.0.0.3'], caller],
  ['an empty header after it', [caller, ''], '127.0.0.1'],
  ['no space and many', [`203.0.113.9,${caller}, \t 10.0.0.2`], caller],
  ['a proxy as a mapped address', [`${caller}, ::ffff:10.0.0.2`], caller],
  ['a proxy as a mapped address in hex', [`${caller}, ::FFFF:a00:2`], caller],
  ['a proxy whose range was given as a mapped one', [`${caller}, 192.0.2.77`], caller],
  ['a caller as a mapped address', [`::ffff:${caller}`], caller],
  ['a port', [`${caller}:50123`], caller],
  ['a port on the proxy', [`${caller}, 10.0.0.2:443`], caller],
  ['an IPv6 caller in brackets', ['[2001:db8:2::7]'], '2001:db8:2::7'],
  ['an IPv6 caller with a port', ['[2001:db8:2::7]:50123'], '2001:db8:2::7'],
  ['an IPv6 caller in its longest form', ['2001:0DB8:0002:0000:0000:0000:0000:0007'], '2001:db8:2::7'],
  ['an IPv6 proxy', [`${caller}, 2001:db8:1:ffff::1`], caller],
  ['beside the range of the IPv6 proxies', [`${caller}, 2001:db8:2::1`], '2001:db8:2::1'],
  ['only proxies', ['10.0.0.1, 10.0.0.2'], '10.0.0.1'],
  ...[
    'unknown',
    '_hidden',
    'localhost',
    '-',
    '""',
    `"${caller}"`,
    `${caller};x`,
    `${caller} 10.0.0.2`,
    '999.1.1.1',
    '198.51.100',
    '198.51.100.1.1',
    '0306.063.0144.01',
    '3325256705',
    '0xc6336401',
    `${caller}/32`,
    'fe80::1%eth0',
    `${caller}:`,
    `${caller}:port`,
    `[${caller}`,
    '2001:db8:2::7:8:9:a:b:c',
    '::1::',
    `for=${caller}`,
    '\xe9',
    '%31',
  ].map((junk) => [`junk ends the chain: ${junk}`, [`203.0.113.9, ${junk}`], '127.0.0.1'] as const),
  ['junk beyond the caller is not read', [`unknown, ${caller}, 10.0.0.2`], caller],
  ['a chain of a thousand', [[...Array.from({ length: 1_000 }, () => '203.0.113.9'), caller].join(',')], caller],
  ['a thousand proxies', [[caller, ...Array.from({ length: 1_000 }, () => '10.0.0.2')].join(',')], caller],
])('from a trusted proxy, %s', async (_name, chain, expected) => {
  const headers = chain.map((value) => `X-Forwarded-For: ${value}`)

  expect(await asked(trusting, headers)).toBe(`200 ${expected}`)
  expect(await asked(alone, headers)).toBe('200 127.0.0.1')
})

describe('an allowlist', () => {
  test('takes the address that a trusted proxy has seen, and none that the caller wrote', async () => {
    const only = [`${caller}/32`]

    expect(await asked(trusting, [`x-forwarded-for: ${caller}`], only)).toBe(`200 ${caller}`)
    expect(await asked(trusting, [`x-forwarded-for: ${caller}, 203.0.113.9`], only)).toMatch(/^403/)
    expect(await asked(alone, [`x-forwarded-for: ${caller}`], only)).toMatch(/^403/)
  })

  test.each([
    'forwarded: for=198.51.100.1',
    'x-real-ip: 198.51.100.1',
    'true-client-ip: 198.51.100.1',
    'client-ip: 198.51.100.1',
  ])('is not moved by %s', async (header) => {
    expect(await asked(trusting, [header], [caller])).toMatch(/^403/)
  })
})

const loopbackProxy = ranges(['10.0.0.0/8'])
const urlOf = (host: string | undefined, proto?: string, peer = '10.0.0.1'): string | null =>
  baseUrlOf({ ...(host !== undefined && { host }), ...(proto && { 'x-forwarded-proto': proto }) }, peer, loopbackProxy)

test.each([
  ['api.example', 'http://api.example'],
  ['API.Example:8080', 'http://api.example:8080'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['[::1]:8080', 'http://[::1]:8080'],
])('%s is an address', (host, expected) => {
  expect(urlOf(host)).toBe(expected)
})

test.each([
  undefined,
  '',
  'a b',
  'a/b',
  'a@b',
  'a$(b)',
  '`a`',
  'a;b',
  "a'b",
  'a"b',
  'a\nb',
  '-a',
  'a:99999999',
  '[a]b',
])('%j is none', (host) => {
  expect(urlOf(host)).toBeNull()
})

test('only a trusted proxy can say that it was https', () => {
  expect(urlOf('api.example', 'https')).toBe('https://api.example')
  expect(urlOf('api.example', 'https', '192.0.2.1')).toBe('http://api.example')
  expect(urlOf('api.example', 'javascript')).toBe('http://api.example')
})

const trustedProxies = ranges(['10.0.0.0/8'])
const withoutProxies = { trustedProxies, publicUrl: null }
const known = { trustedProxies, publicUrl: 'https://console.example.com' }
const host = 'console.example.com'
const https = { 'x-forwarded-proto': 'https' }

test.each([
  ['a trusted proxy says https', { host, ...https }, '10.0.0.1', withoutProxies, 'https'],
  ['anybody else says https', { host, ...https }, '192.0.2.1', withoutProxies, 'open'],
  ['nothing is said', { host }, '192.0.2.1', withoutProxies, 'open'],
  ['PUBLIC_URL says that this name is reached by https', { host: `${host}:8080` }, '192.0.2.1', known, 'https'],
  ['PUBLIC_URL speaks of another name', { host: 'other.example.com' }, '192.0.2.1', known, 'open'],
  ['PUBLIC_URL says http', { host }, '192.0.2.1', { ...withoutProxies, publicUrl: `http://${host}` }, 'open'],
  ['the browser names its own machine', { host: 'localhost:8080' }, '127.0.0.1', withoutProxies, 'loopback'],
  ['it does by address', { host: '[::1]:8080' }, '::1', withoutProxies, 'loopback'],
  ['a name only begins like that', { host: 'localhost.example.com' }, '127.0.0.1', withoutProxies, 'open'],
  ['there is no name', {}, '127.0.0.1', withoutProxies, 'open'],
] as const)('%s', (_case, headers, peer, how, transport) => {
  expect(arrivalOf(headers, peer, how).transport).toBe(transport)
})

test('our origins are that of the request and that which callers use', () => {
  expect(arrivalOf({ host: 'gateway:8080' }, '10.0.0.1', known).ownOrigins).toEqual([
    'http://gateway:8080',
    'https://console.example.com',
  ])
})

test('the port is the one that the browser has named, or that of http', () => {
  const portOf = (name: string) => arrivalOf({ host: name }, '127.0.0.1', withoutProxies).port

  expect([portOf('localhost:8081'), portOf('[::1]:9'), portOf('localhost')]).toEqual(['8081', '9', '80'])
})
