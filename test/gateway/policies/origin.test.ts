import { expect, test } from 'vitest'
import { originPolicy, type OriginDeps } from '../../../gateway/auth/address-policies.ts'
import { codeOf } from '../support/checks.ts'

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
