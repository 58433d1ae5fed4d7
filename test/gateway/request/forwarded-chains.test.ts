// Chains of X-Forwarded-For as they come in over the wire: whom the service takes for the caller, and whom an allowlist
// lets in.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startEdge, type Edge } from '../support/edge.ts'
import { openWire } from '../support/wire.ts'

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
    ...['unknown', '_hidden', 'localhost', '-', '""', `"${caller}"`, `${caller};x`, `${caller} 10.0.0.2`, '999.1.1.1'],
    ...['198.51.100', '198.51.100.1.1', '0306.063.0144.01', '3325256705', '0xc6336401', `${caller}/32`, 'fe80::1%eth0'],
    ...[
      `${caller}:`,
      `${caller}:port`,
      `[${caller}`,
      '2001:db8:2::7:8:9:a:b:c',
      '::1::',
      `for=${caller}`,
      '\xe9',
      '%31',
    ],
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
