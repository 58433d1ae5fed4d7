// Each check of a call by itself. Their order, and what callers are told: test/gateway/refusals/refused-calls.test.ts.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import { makeToken, tokenHash } from '#runtime/bearer-tokens.ts'
import { parseAddress } from '#runtime/ip-address.ts'
import {
  checkIpAllowlist,
  checkSameOrigin,
  originPolicy,
  type OriginDeps,
} from '../../../gateway/auth/address-policies.ts'
import * as keys from '../../../gateway/auth/key-policies.ts'
import * as requests from '../../../gateway/auth/request-policies.ts'
import { chooseWorkspace, checkBoundWorkspace, refusalEverywhere } from '../../../gateway/auth/workspace-policies.ts'
import type { Key } from '../../../gateway/keys/key.ts'
import { at, codeOf, dayMs, keyOf, now } from '../support/checks.ts'
import { within, workspaceA, workspaceB } from '../support/service.ts'

const { bearerToken, isTokenOf, keyHash } = keys
const { checkAccept, checkContent, mcpTypes, restTypes } = requests

test('of a header of Bearer the token is what stands behind it, alone', () => {
  expect(['Bearer abc', 'bearer   abc'].map(bearerToken)).toEqual(['abc', 'abc'])
  for (const header of [undefined, '', 'Bearer', 'Bearer a b', 'Basic abc'])
    expect([header, codeOf(() => bearerToken(header))]).toEqual([header, 'missing_credentials'])
})

test('only what has the form and checksum of a key gets a hash; tokens are compared whole', () => {
  const { token, hash } = makeToken('wsk')
  expect(keyHash(token)).toBe(hash.toString('hex'))
  const wrong = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
  expect([wrong, '', makeToken('wso').token].map(keyHash)).toEqual([null, null, null])
  const either = ['abc', 'def'].map(tokenHash)
  expect(['abc', 'def', 'ab', ''].map((text) => isTokenOf(text, either))).toEqual([true, true, false, false])
})

const endingIn = (ms: number) => ({ secret: { createdAt: at(-dayMs), expiresAt: at(ms) } })
const madeAgo = (ms: number) => ({ secret: { createdAt: at(-ms), expiresAt: null } })
const writer = keyOf({ scopes: ['projects:write'] })
const state = (more: Partial<KeyRecord>) => () => keys.checkState(keyOf(more), now)
const age = (more: Partial<KeyRecord>) => () => keys.checkSecretAge(keyOf(more), now)
const inForce = { rule: 'requireExpiry', from: at(0) } as const
const inGrace = { rule: 'requireIpAllowlist', from: at(1) } as const
const boundTo =
  (bound: boolean, ...refusals: KeyRecord['workspaces'][number]['refusals']) =>
  () =>
    checkBoundWorkspace(keyOf({ bound, workspaces: [within(workspaceA, { refusals })] }), now)

test.each<[string, string, () => unknown]>([
  ['passes', 'neither revoked nor ending', state({})],
  ['api_key_revoked', 'revoked and expired', state({ revokedAt: at(-1), expiresAt: at(-1) })],
  ['api_key_expired', 'expiring this very moment', state({ expiresAt: at(0) })],
  ['passes', 'expiring in a moment', state({ expiresAt: at(1) })],
  ['api_key_expired', 'an old secret whose overlap is over', state(endingIn(0))],
  ['api_key_expired', 'a key that ends before its secret does', state({ expiresAt: at(0), ...endingIn(1) })],
  ['api_key_expired', 'a secret that ends before its key does', state({ expiresAt: at(1), ...endingIn(0) })],
  ['api_key_suspended', 'held by a suspended member', state({ suspended: true })],
  ['api_key_revoked', 'revoked, of a suspended member', state({ suspended: true, revokedAt: at(-1) })],
  ['passes', 'an old secret in its overlap', state(endingIn(1))],
  ['passes', 'old, without a policy', age({ maxAgeDays: null, ...madeAgo(400 * dayMs) })],
  ['passes', 'just young enough', age({ maxAgeDays: 30, ...madeAgo(30 * dayMs - 1) })],
  ['api_key_rotation_required', 'just too old', age({ maxAgeDays: 30, ...madeAgo(30 * dayMs) })],
  ['passes', 'writing, which includes reading', () => keys.checkScope(writer, 'projects:read')],
  ['insufficient_scope', 'writing, which is not deleting', () => keys.checkScope(writer, 'projects:delete')],
  ['passes', 'whatever it has, where no scope is needed', () => keys.checkScope(writer, null)],
  ['surface_not_allowed', 'for HTTP alone, over MCP', () => keys.checkSurface(keyOf({ surfaces: ['http'] }), 'mcp')],
  ['key_expiry_required', 'bound where a rule is in force', boundTo(true, inForce)],
  ['passes', 'bound where a rule is not in force yet', boundTo(true, { ...inForce, from: at(1) })],
  ['key_expiry_required', 'bound where one rule is in grace and one in force', boundTo(true, inGrace, inForce)],
  ['passes', 'not bound, which is refused only where it is', boundTo(false, inForce)],
])('%s: a key %s', (code, _what, check) => {
  expect(codeOf(check)).toBe(code)
})

const keyIn = (bound: boolean, ids: readonly string[], suspended = false): Key =>
  keyOf({ bound, workspaces: ids.map((id) => within(id, { suspended })) })
const bound = keyIn(true, [workspaceA])
const unbound = keyIn(false, [workspaceA, workspaceB])

function chosen(key: Key, header?: string, query?: string): string {
  let choice: ReturnType<typeof chooseWorkspace> | undefined
  const code = codeOf(() => (choice = chooseWorkspace(key, { header, query })))
  return choice === undefined ? code : choice.suspended ? 'workspace_suspended' : choice.id
}

test.each([
  ['a bound key needs no name', bound, undefined, undefined, workspaceA],
  ['a bound key may name its own', bound, workspaceA, undefined, workspaceA],
  ['a key without any workspace', keyIn(true, []), undefined, undefined, 'workspace_not_allowed'],
  ['by header', unbound, workspaceB, undefined, workspaceB],
  ['by query', unbound, undefined, workspaceB, workspaceB],
  ['both, different', unbound, workspaceA, workspaceB, 'workspace_conflict'],
  ['empty', unbound, '', undefined, 'workspace_invalid'],
  ['suspended', keyIn(true, [workspaceA], true), undefined, undefined, 'workspace_suspended'],
])('%s', (_name, key, header, query, expected) => {
  expect(chosen(key, header, query)).toBe(expected)
})

const workspaceIds = fc.uniqueArray(fc.uuid(), { maxLength: 3 })
const name = fc.option(fc.oneof(fc.uuid(), fc.constantFrom(workspaceA, workspaceB), fc.string()), { nil: undefined })

test('whatever is named, a call acts in a workspace of its key or not at all', () => {
  const property = fc.property(fc.boolean(), workspaceIds, name, name, (isBound, ids, header, query) => {
    const result = chosen(keyIn(isBound, ids), header, query)
    expect(ids.includes(result) || result.startsWith('workspace_')).toBe(true)
    if (header !== undefined && ids.includes(header) && query === undefined) expect(result).toBe(header)
  })
  fc.assert(property)
})

test('outside of any workspace a key is refused where all of its workspaces refuse it', () => {
  const everywhere = (...refusals: KeyRecord['workspaces'][number]['refusals'][]) => {
    const workspaces = refusals.map((each) => within(crypto.randomUUID(), { refusals: each }))
    return refusalEverywhere(keyOf({ bound: false, workspaces }), now)?.code
  }

  expect(everywhere([inForce], [inForce])).toBe('key_expiry_required')
  expect([everywhere([inForce], []), everywhere([inForce], [inGrace]), everywhere()]).toEqual(Array(3).fill(undefined))
})

test.each([
  ['no list', [], '192.0.2.1', 'passes'],
  ['in a range', ['192.0.2.0/24'], '192.0.2.1', 'passes'],
  ['outside', ['192.0.2.0/24'], '192.0.3.1', 'ip_not_allowed'],
  ['an address that is not known', ['0.0.0.0/0', '::/0'], 'gone', 'ip_not_allowed'],
])('allowlist: %s', (_name, ipAllowlist, address, code) => {
  expect(codeOf(() => checkIpAllowlist(keyOf({ ipAllowlist }), parseAddress(address)))).toBe(code)
})

test('that one key lets an address in says nothing of another; a list that cannot be read lets nobody in', () => {
  const address = parseAddress('192.0.2.1')
  const [open, narrowed] = [keyOf({ ipAllowlist: ['192.0.2.0/24'] }), keyOf({ ipAllowlist: ['192.0.2.9'] })]
  const check = (key: typeof open) => codeOf(() => checkIpAllowlist(key, address))

  const [taken, refused] = ['passes', 'ip_not_allowed']
  expect([open, open, narrowed, open, narrowed].map(check)).toEqual([taken, taken, refused, taken, refused])
  expect(() => keyOf({ ipAllowlist: ['anywhere'] })).toThrow('anywhere')
})

const local = { host: '127.0.0.1', publicUrl: null, allowedOrigins: [] }
const open = { ...local, host: '0.0.0.0' }
const published = { ...open, publicUrl: 'https://api.example.com' }
const behindProxy = { ...published, host: 'localhost' }
const withPages = { ...published, allowedOrigins: ['http://app.example.com:8443', 'vscode-webview://abc'] }

const checkOrigin = (listen: OriginDeps, host: string | undefined, origin?: string): string =>
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
  for (const host of hosts) expect([host, checkOrigin(listen, host)]).toEqual([host, code])
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
    expect([origin, checkOrigin(listen, host, origin)]).toEqual([origin, code])
    expect([origin, originPolicy(listen).isAllowed(origin)]).toEqual([origin, code === 'passes'])
    // An allowed page does not make up for a host that is not known.
    expect(checkOrigin(local, 'evil.example', origin)).toBe('host_not_allowed')
  }
})

const ours = ['https://console.example.com']
const takes = (method: string, headers: Record<string, string>): boolean =>
  codeOf(() => checkSameOrigin(method, headers, ours)) === 'passes'

test.each<[boolean, string, Record<string, string>]>([
  [true, 'the browser says that the page is ours', { 'sec-fetch-site': 'same-origin' }],
  [true, 'it does, whatever else is said', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
  [true, 'an older browser names our origin', { origin: 'https://console.example.com' }],
  [false, 'the page is of another site', { 'sec-fetch-site': 'cross-site' }],
  [false, 'the page is of another host of the site', { 'sec-fetch-site': 'same-site' }],
  [false, 'nobody’s page has asked', { 'sec-fetch-site': 'none' }],
  [false, 'two answers are given', { 'sec-fetch-site': 'cross-site', origin: 'https://console.example.com' }],
  [false, 'another origin is named', { origin: 'https://evil.example' }],
  [false, 'our host is named with another scheme', { origin: 'http://console.example.com' }],
  [false, 'the page has no origin', { origin: 'null' }],
  [false, 'nothing is said', {}],
])('that a change is taken is %s where %s; reading is not judged', (taken, _why, headers) => {
  const methods = ['POST', 'PATCH', 'PUT', 'DELETE']
  expect(methods.map((method) => takes(method, headers))).toEqual(methods.map(() => taken))
  expect(takes('GET', headers)).toBe(true)
})

test('a header that counts once is refused where it comes twice, in any case; others may', () => {
  const of = (...rawHeaders: string[]) => codeOf(() => requests.checkSingleHeaders(['Host', 'a', ...rawHeaders]))

  expect(of('Accept', 'b', 'accept', 'c')).toBe('passes')
  for (const name of ['Host', 'Authorization', 'X-Api-Key', 'X-Workspace-Id', 'Idempotency-Key', 'Content-Length'])
    expect([name, of(name, '1', name.toUpperCase(), '1')]).toEqual([name, 'invalid_header'])
})

const json = 'application/json'
const preferred = ['text/html, application/json;q=0.5', 'text/html, */*;q=0.1']
const refusing = ['text/html', 'application/xml, text/*', 'application/json;q=0', '*/*;q=0.000', 'text/event-stream']

test('who takes JSON, or says nothing of it, is answered; an event stream is enough for MCP', () => {
  for (const accept of [undefined, '', '*/*', json, 'application/*', 'APPLICATION/JSON', ...preferred])
    expect([accept, codeOf(() => checkAccept(accept, restTypes))]).toEqual([accept, 'passes'])
  for (const accept of refusing)
    expect([accept, codeOf(() => checkAccept(accept, restTypes))]).toEqual([accept, 'not_acceptable'])
  expect(codeOf(() => checkAccept('text/event-stream', mcpTypes))).toBe('passes')
})

const typed = (type: string) => ({ 'content-length': '1', 'content-type': type })
const taken = [json, 'Application/JSON; charset=utf-8', `${json};charset="UTF-8"`, `${json}; charset=utf8`]
const latin = ['latin1', 'UTF-16LE', '"iso-8859-1"', 'utf-8; charset=utf-16'].map((name) => `${json}; charset=${name}`)
const merging = 'application/merge-patch+json'
type Sent = [string, Record<string, string>, string]
test.each<Sent>([
  ['POST', {}, 'passes'],
  ['POST', { 'content-length': '0', 'content-type': 'text/plain' }, 'passes'],
  ['POST', { 'content-length': '10', 'content-type': json }, 'passes'],
  ['POST', { 'content-length': '11', 'content-type': json }, 'body_too_large'],
  ['POST', { 'content-length': '11', 'content-type': 'text/plain' }, 'unsupported_media_type'],
  ...taken.map((type): Sent => ['POST', typed(type), 'passes']),
  ...[...latin, merging].map((type): Sent => ['POST', typed(type), 'unsupported_media_type']),
  ...latin.map((type): Sent => ['PATCH', typed(type), 'unsupported_media_type']),
  ['PATCH', typed(merging), 'passes'],
  ['POST', { 'content-length': '1' }, 'unsupported_media_type'],
  ['POST', { 'transfer-encoding': 'chunked', 'content-type': json }, 'passes'],
  ['POST', { ...typed(json), 'content-encoding': 'br' }, 'unsupported_media_type'],
])('%s with %j: %s', (method, headers, code) => {
  const bytesCome = () => Promise.reject(new Error('There is nothing to wait for'))

  expect(codeOf(() => checkContent({ method, headers, bytesCome }, 10))).toBe(code)
})

test('a chunked body of a wrong type is refused once a byte of it comes, and taken for none where it ends without one', async () => {
  const check = (type: string, come: boolean) => {
    const headers = { 'transfer-encoding': 'chunked', 'content-type': type }
    return checkContent({ method: 'POST', headers, bytesCome: async () => come }, 10)
  }

  await expect(check('text/plain', true)).rejects.toMatchObject({ code: 'unsupported_media_type' })
  await expect(check('text/plain', false)).resolves.toBeUndefined()
  await expect(check(`${json}; charset=latin1`, true)).rejects.toMatchObject({ code: 'unsupported_media_type' })
})
