import { expect, test } from 'vitest'
import { eventCatalogue, operations } from '#contract/api.ts'
import { methodOf, pathOf, listItemsMax } from '#contract/operation.ts'
import { parameterNames, routesOf } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'

test('names, and addresses within an audience, are unique', () => {
  const routes = routesOf(operations).map(({ method, path }) => `${method} ${path}`)

  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
  expect(new Set(routes).size).toBe(routes.length)
})

test('every path parameter is a property of the input', () => {
  for (const operation of operations) {
    expect(Object.keys(operation.input.properties)).toEqual(expect.arrayContaining(parameterNames(pathOf(operation))))
  }
})

test('segment of name, path, scope and events are spelt alike', () => {
  // A list of what belongs to an object takes the scope of what is listed. Where a segment has no such access of its
  // own, a neighbour's scope stands for it; `me` is the key itself.
  const own = (segment: string, access: string) => scopes.some((scope) => scope === `${segment}:${access}`)

  for (const { name, http, scope, emits } of operations) {
    const [segment = ''] = name.split('.')
    expect(http.split('/')[1]).toBe(segment)
    const [of = '', access = ''] = scope?.split(':') ?? []
    if (scope !== null && own(segment, access)) expect([segment, http.split('/').at(-1)]).toContain(of)
    // What a change brings about elsewhere comes after its own event.
    for (const { type } of emits.slice(0, 1)) expect(type.split('.')[0]).toBe(segment === 'me' ? 'api-keys' : segment)
  }
})

test('kinds of events have one name everywhere, and `after` is a place in the feed', () => {
  const named = operations.flatMap(({ name, input, output }) => fieldsIn([input, output]).map((field) => [name, field]))
  const of = (field: string) => named.filter(([, name]) => name === field).map(([operation]) => operation)

  expect(of('eventTypes')).toEqual(
    expect.arrayContaining([
      'events.list',
      'deliveries.list',
      'deliveries.replay-many',
      'webhooks.list',
      'webhooks.create',
      'webhooks.update',
      'webhooks.get',
    ]),
  )
  expect(of('eventType')).toContain('deliveries.get')
  expect(named.filter(([operation]) => operation === 'deliveries.list').map(([, field]) => field)).toEqual(
    expect.arrayContaining(['createdAfter', 'createdBefore']),
  )
  expect(new Set(of('events'))).toEqual(new Set())
  expect(new Set(of('types'))).toEqual(new Set(['search.query']))
  expect(of('after')).toEqual(['events.list'])
})

/** Every property that the schemas name, at any depth. */
function fieldsIn(schemas: unknown): string[] {
  if (typeof schemas !== 'object' || schemas === null) return []
  const { properties = {} } = schemas as { properties?: object }
  return [...Object.keys(properties), ...Object.values(schemas).flatMap(fieldsIn)]
}

test('input and every object in it are closed', () => {
  for (const { name, input } of operations)
    expect([name, input['additionalProperties' as never]]).toEqual([name, false])
})

test('no list or object of an input holds more than any body may', () => {
  const bounds = operations.flatMap(({ input }) =>
    [...JSON.stringify(input).matchAll(/"max(?:Items|Properties)":(\d+)/g)].map(([, most]) => Number(most)),
  )

  expect(bounds.length).toBeGreaterThan(50)
  expect(Math.max(...bounds)).toBeLessThanOrEqual(listItemsMax)
})

test('what only reads emits nothing and answers 200', () => {
  for (const operation of operations.filter((each) => methodOf(each) === 'GET')) {
    expect(operation.emits).toEqual([])
    expect(operation.success).toBe(200)
  }
})

test('every event is declared by an operation, but for those that the system records by itself', () => {
  const emitted = new Set(operations.flatMap(({ emits }) => emits.map(({ type }) => type)))

  for (const { type, bySystem } of eventCatalogue) expect([type, emitted.has(type)]).toEqual([type, !bySystem])
})
