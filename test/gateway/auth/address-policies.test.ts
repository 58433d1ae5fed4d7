import { expect, test } from 'vitest'
import { parseAddress } from '#runtime/ip-address.ts'
import {
  checkIpAllowlist,
  originPolicy,
  type OriginDeps,
  checkSameOrigin,
} from '../../../gateway/auth/address-policies.ts'
import { codeOf, keyOf } from '../support/checks.ts'

test.each([
  ['no list', [], '192.0.2.1', 'passes'],
  ['in a range', ['192.0.2.0/24'], '192.0.2.1', 'passes'],
  ['outside', ['192.0.2.0/24'], '192.0.3.1', 'ip_not_allowed'],
  ['a mapped address against an IPv4 range', ['192.0.2.0/24'], '::ffff:192.0.2.1', 'passes'],
  ['an IPv4 address against a mapped range', ['::ffff:192.0.2.0/120'], '192.0.2.1', 'passes'],
  ['IPv6 spelled differently', ['2001:db8::1'], '2001:DB8:0:0::1', 'passes'],
  ['everything of the other family', ['0.0.0.0/0'], '2001:db8::1', 'ip_not_allowed'],
  ['an address that is not known', ['0.0.0.0/0', '::/0'], 'gone', 'ip_not_allowed'],
])('allowlist: %s', (_name, ipAllowlist, address, code) => {
  expect(codeOf(() => checkIpAllowlist(keyOf({ ipAllowlist }), parseAddress(address)))).toBe(code)
})

test('a list that cannot be read lets nobody in', () => {
  expect(() => keyOf({ ipAllowlist: ['anywhere'] })).toThrow('anywhere')
})

test('that one key lets an address in says nothing of another key, nor of the same with another list', () => {
  const address = parseAddress('192.0.2.1')
  const [open, narrowed] = [keyOf({ ipAllowlist: ['192.0.2.0/24'] }), keyOf({ ipAllowlist: ['192.0.2.9'] })]
  const check = (key: typeof open) => codeOf(() => checkIpAllowlist(key, address))

  expect([open, open, narrowed, open, narrowed].map(check)).toEqual([
    'passes',
    'passes',
    'ip_not_allowed',
    'passes',
    'ip_not_allowed',
  ])
})

const local = { host: '127.0.0.1', publicUrl: null, allowedOrigins: [] }
const open = { ...local, host: '0.0.0.0' }
const published = { ...open, publicUrl: 'https://api.example.com' }
const behindProxy = { ...published, host: 'localhost' }
const withPages = { ...published, allowedOrigins: ['http://app.example.com:8443', 'vscode-webview://abc'] }

const check = (listen: OriginDeps, host: string | undefined, origin?: string): string =>
  codeOf(() => originPolicy(listen).check({ host, origin }))

type Hosts = [OriginDeps, 'passes' | 'host_not_allowed', (string | undefined)[]]

test.each<Hosts>([
  [local, 'passes', ['localhost', 'localhost:8080', 'LOCALHOST', '127.0.0.1:1', '127.9.9.9', '[::1]', '[::1]:8080']],
  [local, 'host_not_allowed', ['api.example.com', 'localhost.evil.example', '127.0.0.1.evil.example', 'localhost.']],
  [local, 'host_not_allowed', ['0.0.0.0', '10.0.0.1', undefined, '', 'evil@localhost', 'evil.example#@localhost']],
  [local, 'host_not_allowed', ['localhost/', 'localhost:x', 'localhost, evil.example', 'localhost evil.example']],
  [open, 'passes', ['gateway:8080', 'api.example.com', '10.0.0.1', undefined]],
  [published, 'passes', ['api.example.com', 'API.example.com:443', 'api.example.com:8080']],
  [published, 'host_not_allowed', ['localhost:8080', 'gateway', 'example.com', 'api.example.com.evil.example']],
  [behindProxy, 'passes', ['localhost:8080', 'api.example.com']],
  [behindProxy, 'host_not_allowed', ['gateway', undefined]],
])('%j, by the right name: %s', (listen, code, hosts) => {
  for (const host of hosts) expect([host, check(listen, host)]).toEqual([host, code])
})

type Origins = [OriginDeps, 'passes' | 'origin_not_allowed', string[]]

test.each<Origins>([
  [local, 'passes', ['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:3000']],
  [local, 'origin_not_allowed', ['http://localhost.evil.example', 'http://api.example.com', 'null', '', 'file://']],
  [local, 'origin_not_allowed', ['localhost', 'chrome-extension://localhost', 'http://localhost/page']],
  [local, 'origin_not_allowed', ['http://localhost, http://localhost', 'http://evil@localhost']],
  // Its host is the one that is called, which proves nothing: the page has chosen it.
  [open, 'origin_not_allowed', ['http://api.example.com']],
  [open, 'passes', ['http://localhost:6274']],
  [published, 'passes', ['https://api.example.com', 'https://api.example.com:443']],
  [published, 'origin_not_allowed', ['http://api.example.com', 'https://api.example.com:8443', 'null']],
  [published, 'origin_not_allowed', ['http://localhost:3000']],
  [behindProxy, 'passes', ['http://localhost:3000', 'https://api.example.com']],
  [withPages, 'passes', ['http://app.example.com:8443', 'vscode-webview://abc']],
  [withPages, 'origin_not_allowed', ['https://app.example.com:8443', 'http://app.example.com', 'vscode-webview://ab']],
])('%j, from a page: %s', (listen, code, origins) => {
  const host = listen.publicUrl === null ? 'localhost' : 'api.example.com'
  for (const origin of origins) {
    expect([origin, check(listen, host, origin)]).toEqual([origin, code])
    expect([origin, originPolicy(listen).isAllowed(origin)]).toEqual([origin, code === 'passes'])
  }
})

test('an allowed page does not make up for a host that is not known', () => {
  expect(check(local, 'evil.example', 'http://localhost:3000')).toBe('host_not_allowed')
})

const own = ['https://console.example.com']

test.each([
  ['the browser says that the page is ours', { 'sec-fetch-site': 'same-origin' }],
  ['it does, whatever else is said', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
  ['an older browser names our origin', { origin: 'https://console.example.com' }],
])('a change is taken where %s', (_why, headers) => {
  expect(() => checkSameOrigin('POST', headers, own)).not.toThrow()
})

test.each([
  ['the page is of another site', { 'sec-fetch-site': 'cross-site' }],
  ['the page is of another host of the site', { 'sec-fetch-site': 'same-site' }],
  ['nobody’s page has asked', { 'sec-fetch-site': 'none' }],
  ['two answers are given', { 'sec-fetch-site': 'cross-site', origin: 'https://console.example.com' }],
  ['another origin is named', { origin: 'https://evil.example' }],
  ['our host is named with another scheme', { origin: 'http://console.example.com' }],
  ['the page has no origin', { origin: 'null' }],
  ['nothing is said', {}],
])('a change is refused where %s', (_why, headers) => {
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
    expect(() => checkSameOrigin(method, headers, own)).toThrow('Changes are taken from pages of this origin alone.')
})

test('reading is not judged: no page of another origin sees the answer', () => {
  expect(() => checkSameOrigin('GET', { 'sec-fetch-site': 'cross-site' }, own)).not.toThrow()
})
