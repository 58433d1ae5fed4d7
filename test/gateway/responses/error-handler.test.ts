// An address takes the methods that its operations have, and says so of every other.
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { apiPrefix, routesOf } from '#contract/route-paths.ts'
import { withHead } from '../../../gateway/request/request-head.ts'
import { knownRoutes, notFound } from '../../../gateway/responses/error-handler.ts'
import { edgeOfFile } from '../support/edge.ts'

const all = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']
const named = [...Map.groupBy(routesOf(operations), ({ path }) => path)].filter(
  ([path]) => path.startsWith(apiPrefix) && !path.includes('{'),
)

const { edge, token } = edgeOfFile()
const headers = { authorization: `Bearer ${token}` }

test.each(named)('%s answers 405 with Allow to every method that it does not take', async (path, routes) => {
  const taken = routes.flatMap(({ method }) => withHead(method)).toSorted()

  for (const method of all.filter((each) => !taken.includes(each))) {
    const response = await fetch(edge.gateway.url + path, { method, headers })

    expect([method, response.status, response.headers.get('allow')?.split(', ')]).toEqual([method, 405, taken])
    if (method !== 'HEAD') expect(await response.json()).toMatchObject({ code: 'method_not_allowed', allowed: taken })
  }
  expect(edge.service.calls).toEqual([])
})

const known = knownRoutes(routesOf(operations))

test.each([
  ['GET', '/api/v1/projects/a/b/c', 'route_not_found', undefined],
  ['GET', '/api/v1/projects/1', 'route_not_found', undefined],
  ['PUT', '/api/v1/projects/1', 'method_not_allowed', ['DELETE', 'GET', 'HEAD', 'PATCH']],
  ['GET', '/api/mcp', 'method_not_allowed', ['OPTIONS', 'POST']],
  ['TRACE', '/ready', 'method_not_allowed', ['GET', 'HEAD']],
])('%s %s is missing because of %s', (method, path, code, allowed) => {
  const fault = notFound(method, path, known)
  expect([fault.code, fault.members['allowed'], fault.members.hint]).toEqual([code, allowed, undefined])
})

test.each([
  ['/api/v1/projects/', '/api/v1/projects', 'a slash at the end'],
  ['/api/v1/projects/1///', '/api/v1/projects/1', 'a slash at the end'],
  ['/api/v1/projects/?limit=1', '/api/v1/projects', 'a slash at the end'],
  ['/api/v1//projects', '/api/v1/projects', 'two slashes in a row'],
])('%s is 404 and names %s', async (path, meant, what) => {
  const response = await fetch(edge.gateway.url + path, { headers })

  const hint = `Send the path without ${what}: \`${meant}\`.`
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'route_not_found', hint })
})

test.each(['/api/v1/unheard-of/', '//example.com/api', `/api/v1/projects/${'1'.repeat(600)}/`])(
  'no path is named for %s',
  (path) => {
    expect(notFound('GET', path, known).members.hint).toBeUndefined()
  },
)

test.each(['/a', '/'])('that a path of thousands of %s is no address is soon said', (segment) => {
  const path = segment.repeat(16_000 / segment.length)
  const before = process.cpuUsage()

  for (let times = 0; times < 50; times++) expect(notFound('GET', path, known).code).toBe('route_not_found')

  // A few milliseconds each would be enough for a stranger to keep a gateway busy.
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(300)
})
