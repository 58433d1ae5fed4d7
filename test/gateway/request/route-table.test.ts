// Which operation a path is for, beside a plain way to say the same.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSegments, routeTable } from '../../../gateway/request/route-table.ts'
import { codeOf } from '../support/checks.ts'
import { pathSegmentLengthMax } from '#contract/route-paths.ts'

const routes = [
  ...['GET /p', 'POST /p', 'GET /p/{id}', 'PATCH /p/{id}', 'POST /p/batch', 'GET /p/{id}/c', 'GET /p/{id}/c/{other}'],
  ...['GET /p/batch/jobs', 'PUT /q/{source}/{externalId}'],
].map((text) => ({ method: text.split(' ')[0]!, path: text.split(' ')[1]! }))
const find = routeTable(routes)

test.each([
  ['GET', '/p', 'GET /p'],
  ['HEAD', '/p?limit=5', 'GET /p'],
  ['GET', '/p/1', 'GET /p/{id}'],
  ['POST', '/p/batch', 'POST /p/batch'],
  ['POST', '/p/b%61tch', 'POST /p/batch'],
  ['GET', '/p/batch/c', 'GET /p/{id}/c'],
  ['GET', '/p/batch/jobs', 'GET /p/batch/jobs'],
  ['PUT', '/q/crm/a%2Fb', 'PUT /q/{source}/{externalId}'],
])('%s %s is for %s', (method, url, route) => {
  const found = find(method, url)
  expect(`${found?.method} ${found?.path}`).toBe(route)
})

test.each([
  ['GET', '/p/batch', 'a literal segment takes its own methods alone'],
  ['GET', '/p/b%61tch', 'however it is spelt'],
  ['DELETE', '/p', 'a method that there is not'],
  ['GET', '/p/', 'an empty segment'],
  ['GET', '/p//c', 'an empty segment in the middle'],
  ['GET', 'p', 'no slash'],
  ['GET', '/P', 'another case'],
  ['GET', '/p/%zz', 'what cannot be decoded'],
  ['PUT', '/q/a/b/c', 'one segment too many'],
  ['PUT', '/q/a%2Fb', 'an encoded slash separates nothing'],
])('%s %s is for none: %s', (method, url) => {
  expect(find(method, url)).toBeNull()
})

test('any path is for the route whose segments it has, the literal one before that with a parameter', () => {
  const segments = fc.constantFrom('p', 'q', 'batch', 'c', 'jobs', '1', 'b%61tch', '')
  const methods = fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD')
  fc.assert(
    fc.property(methods, fc.array(segments, { maxLength: 5 }), (method, parts) => {
      const there = routes.filter(({ path }) => fits(path.split('/').slice(1), parts.map(decodeURIComponent)))
      const literals = (path: string): string => path.replaceAll(/\{\w+\}/g, '~')
      const closest = there.map(({ path }) => literals(path)).toSorted()[0]
      const expected = there.find(
        (route) => literals(route.path) === closest && route.method === (method === 'HEAD' ? 'GET' : method),
      )

      expect(find(method, `/${parts.join('/')}`)).toEqual(expected ?? null)
    }),
    { numRuns: 2_000 },
  )
})

const fits = (template: readonly string[], parts: readonly string[]): boolean =>
  template.length === parts.length &&
  template.every((segment, at) => (segment.startsWith('{') ? parts[at] !== '' : segment === parts[at]))

test('a segment is as long as an id may be, and no longer', () => {
  const [longest, longer] = ['a'.repeat(pathSegmentLengthMax), 'a'.repeat(pathSegmentLengthMax + 1)]
  expect(codeOf(() => checkSegments(`/p/${longest}/${longest}?q=${longer}`))).toBe('passes')
  expect(codeOf(() => checkSegments(`/p/${longer}`))).toBe('invalid_parameter')
})
