// An address takes the methods that its operations have, and says so of every other: also where the router would take
// its last word for an id.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { apiPrefix, routesOf } from '#contract/route.ts'
import { withHead } from '../../../gateway/request/target.ts'
import { startEdge, type Edge } from '../support/edge.ts'

const all = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT']
const named = [...Map.groupBy(routesOf(operations), ({ path }) => path)].filter(
  ([path]) => path.startsWith(apiPrefix) && !path.includes('{'),
)

let edge: Edge
let token: string
beforeAll(async () => {
  edge = await startEdge()
  token = edge.service.key().token
})
afterAll(() => edge?.[Symbol.asyncDispose]())

test.each(named)('%s answers 405 with Allow to every method that it does not take', async (path, routes) => {
  const taken = routes.flatMap(({ method }) => withHead(method)).toSorted()

  for (const method of all.filter((each) => !taken.includes(each))) {
    const response = await fetch(edge.gateway.url + path, { method, headers: { authorization: `Bearer ${token}` } })

    expect([method, response.status, response.headers.get('allow')?.split(', ')]).toEqual([method, 405, taken])
    if (method !== 'HEAD') expect(await response.json()).toMatchObject({ code: 'method_not_allowed', allowed: taken })
  }
  expect(edge.service.calls).toEqual([])
})
