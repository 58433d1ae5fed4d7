// Which targets can be read in one way only.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as head from '../../../gateway/request/request-head.ts'
import { codeOf } from '../support/checks.ts'
import { Fault } from '#contract/faults/fault.ts'
import { pathSegmentLengthMax } from '#contract/route-paths.ts'

const { checkRequestHead, isPlainTarget, takeParameter, checkSegments, routeTable } = head
const outcome = (url: string): string =>
  codeOf(() => checkRequestHead({ url, httpVersion: '1.1', headers: { host: 'gateway' } }))

test('what is plain or encoded in one way is taken', () => {
  for (const url of ['/', '/a/b%2Fc', '/a/b.c', '/a/...', '/a/%e2%82%ac?x=%zz&y=..', "/a/~!$&'()*+,;=:@"])
    expect([url, outcome(url)]).toEqual([url, 'passes'])
})

/** All that a server, a proxy or a framework is known to take for a dot, a slash or an end. */
const pieces = ['.', '%2e', '%2E', '/', '%2f', '%2F', '\\', '%5c', 'a', '?', '#', '%00', '%20', '-']

test('a path that passes names the same to whoever decodes it, and to whoever resolves it', () => {
  const seen = { passes: 0, invalid_parameter: 0 }
  const property = fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }), (parts) => {
    const url = `/api/${parts.join('')}`
    const found = outcome(url) as keyof typeof seen
    seen[found] += 1
    if (found !== 'passes') return
    const path = url.split('?', 1)[0]!
    expect(new URL(`http://gateway${url}`).pathname).toBe(path)
    const decoded = decodeURIComponent(path).replaceAll('\\', '/')
    expect(decoded.split('/').filter((segment) => segment === '..' || segment === '.')).toEqual([])
  })
  fc.assert(property, { numRuns: 2_000 })
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100)
})

test('a target is plain where no segment of it is empty', () => {
  const plain = ['/', '/a/b?x=//y']
  expect([...plain, '//a', '/a//b', '/a/', 'http://host/a', '*', ''].filter(isPlainTarget)).toEqual(plain)
})

const workspace = '0190a000-0000-7000-8000-00000000000a'

test.each([
  ['a=1&b=2', undefined, 'a=1&b=2'],
  [`workspaceId=${workspace}`, workspace, ''],
  [`a=%20&workspaceId=${workspace}&b`, workspace, 'a=%20&b'],
  [`work%73paceId=${workspace}`, workspace, ''],
  ['workspaceId', '', ''],
  ['workspaceId=a%3Db=c', 'a=b=c', ''],
  ['workspaceid=x&WorkspaceId=y', undefined, 'workspaceid=x&WorkspaceId=y'],
  ['%zz=1&workspaceId=%zz', '%zz', '%zz=1'],
])('of the query "%s" a parameter is taken out, and refused where it is there twice', (query, value, rest) => {
  expect(takeParameter(query, 'workspaceId')).toEqual({ value, rest })
  if (value !== undefined) expect(() => takeParameter(`${query}&work%73paceId=a`, 'workspaceId')).toThrow(Fault)
})

test('what is left of a query is what was there, in its order', () => {
  const pair = fc
    .tuple(fc.stringMatching(/^[a-z%+]{0,5}$/), fc.stringMatching(/^[a-z0-9%=+]{0,5}$/))
    .map((both) => both.join('='))
  const property = fc.property(fc.array(pair), fc.nat(10), (pairs, at) => {
    const withWorkspace = pairs.toSpliced(at, 0, `workspaceId=${workspace}`)
    expect(takeParameter(withWorkspace.join('&'), 'workspaceId')).toEqual({ value: workspace, rest: pairs.join('&') })
  })
  fc.assert(property)
})

const routes = ['GET /p', 'POST /p', 'GET /p/{id}', 'PATCH /p/{id}', 'POST /p/batch', 'GET /p/{id}/c']
  .concat('GET /p/{id}/c/{other}', 'GET /p/batch/jobs', 'PUT /q/{source}/{externalId}')
  .map((text) => ({ method: text.split(' ')[0]!, path: text.split(' ')[1]! }))
const find = routeTable(routes)

test.each<[string, string, string | null]>([
  ['HEAD', '/p?limit=5', 'GET /p'],
  ['PUT', '/q/crm/a%2Fb', 'PUT /q/{source}/{externalId}'],
  // No slash, another case, what cannot be decoded, a segment too many, and a slash that separates nothing.
  ...['p', '/P', '/p/%zz'].map((url): [string, string, null] => ['GET', url, null]),
  ...['/q/a/b/c', '/q/a%2Fb'].map((url): [string, string, null] => ['PUT', url, null]),
])('%s %s is for %s', (method, url, route) => {
  const found = find(method, url)
  expect(found && `${found.method} ${found.path}`).toBe(route)
})

test('any path is for the route whose segments it has, the literal one before that with a parameter', () => {
  const segments = fc.constantFrom('p', 'q', 'batch', 'c', 'jobs', '1', 'b%61tch', '')
  const methods = fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD')
  const property = fc.property(methods, fc.array(segments, { maxLength: 5 }), (method, parts) => {
    const there = routes.filter(({ path }) => fits(path.split('/').slice(1), parts.map(decodeURIComponent)))
    const literals = (path: string): string => path.replaceAll(/\{\w+\}/g, '~')
    const closest = there.map(({ path }) => literals(path)).toSorted()[0]
    const expected = there.find(
      (route) => literals(route.path) === closest && route.method === (method === 'HEAD' ? 'GET' : method),
    )

    expect(find(method, `/${parts.join('/')}`)).toEqual(expected ?? null)
  })
  fc.assert(property, { numRuns: 2_000 })
})

const fits = (template: readonly string[], parts: readonly string[]): boolean =>
  template.length === parts.length &&
  template.every((segment, at) => (segment.startsWith('{') ? parts[at] !== '' : segment === parts[at]))

test('a segment is as long as an id may be, and no longer', () => {
  const [longest, longer] = ['a'.repeat(pathSegmentLengthMax), 'a'.repeat(pathSegmentLengthMax + 1)]
  expect(codeOf(() => checkSegments(`/p/${longest}/${longest}?q=${longer}`))).toBe('passes')
  expect(codeOf(() => checkSegments(`/p/${longer}`))).toBe('invalid_parameter')
})
