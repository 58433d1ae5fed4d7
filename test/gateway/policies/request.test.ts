// What can be said of a request by looking at it: its target, its headers, its credentials, its content, its origin.
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { Fault } from '#contract/fault.ts'
import { routesOf } from '#contract/route.ts'
import { makeToken, tokenHash } from '#runtime/bearer-tokens.ts'
import { checkContent } from '../../../gateway/policies/content-headers.ts'
import { bearerToken, isToken, keyHash } from '../../../gateway/policies/credentials.ts'
import { checkOrigin } from '../../../gateway/policies/origin.ts'
import { requestIdFrom } from '../../../gateway/request/request-id.ts'
import { checkSingleHeaders } from '../../../gateway/policies/duplicate-headers.ts'
import { isPlainTarget, missing, served } from '../../../gateway/request/target.ts'

function codeOf(check: () => unknown): string {
  try {
    check()
    return 'passes'
  } catch (thrown) {
    return (thrown as Fault).code
  }
}

test.each([
  ['/', true],
  ['/a/b?x=//y', true],
  ['//a', false],
  ['/a//b', false],
  ['/a/', false],
  ['http://host/a', false],
  ['*', false],
  ['', false],
])('the target %s is plain: %s', (url, plain) => {
  expect(isPlainTarget(url)).toBe(plain)
})

test.each([
  ['GET', '/api/v1/unheard-of', 'route_not_found', undefined],
  ['GET', '/api/v1/projects/a/b/c', 'route_not_found', undefined],
  ['PUT', '/api/v1/projects', 'method_not_allowed', ['GET', 'HEAD', 'POST']],
  ['PUT', '/api/v1/projects/1', 'method_not_allowed', ['DELETE', 'GET', 'HEAD', 'PATCH']],
  ['GET', '/api/mcp', 'method_not_allowed', ['POST']],
  ['TRACE', '/ready', 'method_not_allowed', ['GET', 'HEAD']],
  ['GET', '/api/v1/projects/1', 'route_not_found', undefined],
  ['GET', '/api/v1/projects/batch', 'method_not_allowed', ['POST']],
  ['DELETE', '/api/v1/projects/count', 'method_not_allowed', ['GET', 'HEAD']],
])('%s %s is missing because of %s', (method, path, code, allowed) => {
  const fault = missing(method, path, served(routesOf(operations)))
  expect([fault.code, fault.members['allowed']]).toEqual([code, allowed])
})

test('that a path of thousands of segments is no address is soon said', () => {
  const all = served(routesOf(operations))
  const path = '/a'.repeat(8_000)
  const before = process.cpuUsage()

  for (let times = 0; times < 50; times++) expect(missing('GET', path, all).code).toBe('route_not_found')

  // A few milliseconds each would be enough for a stranger to keep a gateway busy.
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(300)
})

test.each([
  [['Host', 'a', 'Accept', 'b', 'accept', 'c'], 'passes'],
  [['Host', 'a', 'HOST', 'a'], 'invalid_header'],
  [['Authorization', 'a', 'authorization', 'b'], 'invalid_header'],
  [['X-Workspace-Id', 'a', 'x-workspace-id', 'a'], 'invalid_header'],
  [['Content-Length', '1', 'Content-length', '1'], 'invalid_header'],
])('the headers %j: %s', (rawHeaders, code) => {
  expect(codeOf(() => checkSingleHeaders(rawHeaders))).toBe(code)
})

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc', 'abc'],
  [undefined, 'missing_credentials'],
  ['', 'missing_credentials'],
  ['Bearer', 'missing_credentials'],
  ['Bearer a b', 'missing_credentials'],
  ['Basic abc', 'missing_credentials'],
])('of the header %s the token is %s', (header, expected) => {
  let token = ''
  const code = codeOf(() => (token = bearerToken(header)))
  expect(code === 'passes' ? token : code).toBe(expected)
})

test('only what has the form and checksum of a key gets a hash', () => {
  const { token, hash } = makeToken('wsk')
  expect(keyHash(token)).toBe(hash.toString('hex'))
  expect([
    keyHash(`${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`),
    keyHash(''),
    keyHash(makeToken('wso').token),
  ]).toEqual([null, null, null])
})

test('tokens are compared whole', () => {
  expect([isToken('abc', tokenHash('abc')), isToken('ab', tokenHash('abc')), isToken('', tokenHash('abc'))]).toEqual([
    true,
    false,
    false,
  ])
})

const json = 'application/json'
test.each([
  ['POST', {}, 'passes'],
  ['POST', { 'content-length': '0', 'content-type': 'text/plain' }, 'passes'],
  ['POST', { 'content-length': '10', 'content-type': json }, 'passes'],
  ['POST', { 'content-length': '11', 'content-type': json }, 'body_too_large'],
  ['POST', { 'content-length': '11', 'content-type': 'text/plain' }, 'unsupported_media_type'],
  ['POST', { 'content-length': '1', 'content-type': 'Application/JSON; charset=utf-8' }, 'passes'],
  ['POST', { 'content-length': '1', 'content-type': `${json};charset="UTF-8"` }, 'passes'],
  ['POST', { 'content-length': '1', 'content-type': `${json}; charset=utf8` }, 'passes'],
  ['POST', { 'content-length': '1', 'content-type': `${json}; charset=latin1` }, 'unsupported_media_type'],
  ['POST', { 'content-length': '1', 'content-type': `${json}; charset=UTF-16LE` }, 'unsupported_media_type'],
  [
    'POST',
    { 'content-length': '1', 'content-type': `${json}; charset=utf-8; charset=utf-16` },
    'unsupported_media_type',
  ],
  ['PATCH', { 'content-length': '1', 'content-type': `${json}; charset="iso-8859-1"` }, 'unsupported_media_type'],
  ['POST', { 'content-length': '1' }, 'unsupported_media_type'],
  ['POST', { 'transfer-encoding': 'chunked' }, 'unsupported_media_type'],
  ['POST', { 'transfer-encoding': 'chunked', 'content-type': json }, 'passes'],
  ['POST', { 'content-length': '1', 'content-type': json, 'content-encoding': 'br' }, 'unsupported_media_type'],
  ['POST', { 'content-length': '1', 'content-type': 'application/merge-patch+json' }, 'unsupported_media_type'],
  ['PATCH', { 'content-length': '1', 'content-type': 'application/merge-patch+json' }, 'passes'],
])('%s with %j: %s', (method, headers, code) => {
  expect(codeOf(() => checkContent(method, headers, 10))).toBe(code)
})

test.each([
  [undefined, 'api.example.com', 'passes'],
  ['https://api.example.com', 'api.example.com', 'passes'],
  ['https://api.example.com', 'api.example.com:8443', 'passes'],
  ['http://localhost:3000', 'api.example.com', 'passes'],
  ['http://127.0.0.1:3000', 'api.example.com', 'passes'],
  ['http://[::1]:3000', 'api.example.com', 'passes'],
  ['https://example.com', 'api.example.com', 'origin_not_allowed'],
  ['http://localhost.evil.example', 'api.example.com', 'origin_not_allowed'],
  ['http://127.0.0.1.evil.example', 'api.example.com', 'origin_not_allowed'],
  ['null', 'api.example.com', 'origin_not_allowed'],
  ['', 'api.example.com', 'origin_not_allowed'],
  ['https://evil.example', undefined, 'origin_not_allowed'],
])('a page of %s at the host %s: %s', (origin, host, code) => {
  expect(codeOf(() => checkOrigin(origin, host))).toBe(code)
})

test('a harmless request id is kept, any other is replaced', () => {
  expect(requestIdFrom('abc-1.2:3/4')).toBe('abc-1.2:3/4')
  for (const bad of [undefined, '', 'a b', 'ä', 'a"b', 'x'.repeat(129), ['a', 'b'], 'a\u0000'])
    expect(requestIdFrom(bad)).toMatch(/^[0-9a-f-]{36}$/)
  expect(requestIdFrom('x'.repeat(128))).toHaveLength(128)
})
