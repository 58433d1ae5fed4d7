import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { colonPath, parameterNames, pathFor, routesOf } from '#contract/route-paths.ts'

const named = (name: string) => operations.find((operation) => operation.name === name)!

test('an operation lies under the prefix of its audience', () => {
  expect(pathFor(named('projects.get'), 'api')).toBe('/api/v1/projects/{id}')
  expect(pathFor(named('webhooks.list'), 'settings')).toBe('/settings/api/workspaces/{workspaceId}/webhooks')
  expect(pathFor(named('workspaces.create'), 'settings')).toBe('/settings/api/workspaces')
})

test('an operation of two audiences has two routes', () => {
  const routes = routesOf([named('webhooks.create')])

  expect(routes.map(({ audience, method }) => [audience, method])).toEqual([
    ['api', 'POST'],
    ['settings', 'POST'],
  ])
})

test('parameters are named in the order of the path, and spelt with colons for the router', () => {
  expect(parameterNames('/workspaces/{workspaceId}/webhooks/{id}')).toEqual(['workspaceId', 'id'])
  expect(colonPath('/workspaces/{workspaceId}/webhooks/{id}')).toBe('/workspaces/:workspaceId/webhooks/:id')
})
