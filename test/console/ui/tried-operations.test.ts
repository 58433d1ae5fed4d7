// What the page "Try it" makes of the descriptions that the installation serves: every operation, and requests that
// are those of the documentation.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { operationsIn, type Description } from '../../../console/pages/try/description.ts'
import { isRisky, placeOf, requestOf, withExamples } from '../../../console/pages/try/try-request.ts'
import { openApi } from '#contract/openapi/document.ts'
import { eventCatalogue, operations, schemas, streams, tags, transfers } from '#contract/api.ts'

const workspaceId = '018f2b6a-7d3c-7a41-9c1e-2f5a6b7c8d9e'
const contract = { operations, streams, transfers, events: eventCatalogue, schemas, tags }

describe.each([
  ['the API', false],
  ['the workspace settings', true],
])('of %s', (_, isOfSession) => {
  const description = describedBy(isOfSession)
  const tried = operationsIn(description, isOfSession)

  test('each operation can be tried, once', () => {
    const described = Object.values(description.paths).flatMap((byMethod) =>
      Object.values(byMethod).flatMap(({ operationId }) => operationId ?? []),
    )

    const names = tried.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    if (isOfSession) expect(described).toEqual(expect.arrayContaining(names))
    else expect(names).toEqual(described.toSorted())
  })

  test('the example of each is a request without mistakes, and its body is the one of the documentation', () => {
    for (const operation of tried) {
      const start = { fields: {}, json: operation.body.kind === 'json' ? '{}' : null }
      const written = withExamples(operation, start)
      const { request, mistakes } = requestOf(operation, written, workspaceId)

      expect([operation.name, mistakes]).toEqual([operation.name, {}])
      expect([operation.name, request.target.includes('{')]).toEqual([operation.name, false])
      if ('example' in operation.body)
        expect([operation.name, request.body]).toEqual([operation.name, operation.body.example])
    }
  })
})

test('whatever is typed for a part of the path stays in that part, and nothing is sent for dots or nothing', () => {
  const operation = operationsIn(describedBy(false), false).find(({ name }) => name === 'projects.get')!
  const property = fc.property(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '.', '..', '../me', 'a/b?c#d')),
    (id) => {
      const written = { fields: { [placeOf({ place: 'path', name: 'id' })]: id }, json: null }
      const { request, mistakes } = requestOf(operation, written, workspaceId)

      const isRefused = ['', '.', '..'].includes(id)
      expect(Object.keys(mistakes)).toEqual(isRefused ? ['path id'] : [])
      if (isRefused) return
      const { pathname, search } = new URL(request.target, 'http://api.test')
      expect([pathname.split('/').length, search]).toEqual([5, ''])
      expect(decodeURIComponent(pathname.split('/').at(-1) ?? '')).toBe(id)
    },
  )
  fc.assert(property)
})

test('a body that is no JSON, and a field that is none, are said by their place and never sent', () => {
  const operation = operationsIn(describedBy(false), false).find(({ name }) => name === 'projects.create')!

  const ofBody = requestOf(operation, { fields: {}, json: '{' }, workspaceId)
  const ofField = requestOf(operation, { fields: { 'body name': 'A', 'body labels': '[' }, json: null }, workspaceId)

  expect(ofBody.mistakes).toEqual({ body: 'Not valid JSON' })
  expect(ofField.mistakes).toEqual({ 'body labels': 'Not valid JSON' })
})

test.each([
  ['DELETE', 'projects.delete', true],
  ['POST', 'projects.restore', true],
  ['POST', 'jobs.create', true],
  ['POST', 'projects.create', false],
  ['PATCH', 'projects.update', false],
  ['GET', 'projects.list', false],
])('%s %s is asked about before it is sent: %s', (method, name, isAsked) => {
  expect(isRisky({ method, name })).toBe(isAsked)
})

function describedBy(isOfSession: boolean): Description {
  return JSON.parse(JSON.stringify(openApi(contract, isOfSession ? 'settings' : 'api'))) as Description
}
