import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Type } from 'typebox'
import { operations } from '#contract/api.ts'
import { Fault } from '#contract/faults/fault.ts'
import { closed } from '#contract/shared-fields.ts'
import { textOfList } from '#contract/text-values.ts'
import { operation, type Operation } from '#contract/operation.ts'
import { inputFrom, type HttpParts } from '../../../service/http/request-input.ts'

const named = (name: string) => operations.find((operation) => operation.name === name)!
const parts = (given: Partial<HttpParts>): HttpParts => ({
  path: {},
  query: {},
  body: undefined,
  ...given,
})
const faultOf = (of: string | Operation, given: Partial<HttpParts>): Fault => {
  try {
    inputFrom(typeof of === 'string' ? named(of) : of, parts(given))
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown
  }
  throw new Error('was not refused')
}

test('query text is read as what the schema says it is', () => {
  const input = inputFrom(
    named('projects.list'),
    parts({ query: { limit: '3', includeArchived: 'true', status: 'active,paused' } }),
  )

  expect(input).toEqual({ limit: 3, includeArchived: true, status: ['active', 'paused'] })
})

test('text that does not read as its type is left for the schema to refuse', () => {
  const input = inputFrom(named('projects.list'), parts({ query: { limit: '3.5', includeArchived: 'yes' } }))

  expect(input).toEqual({ limit: '3.5', includeArchived: 'yes' })
})

test('an unknown parameter is refused with the nearest name', () => {
  const fault = faultOf('projects.list', { query: { statuss: 'active' } })

  expect(fault.code).toBe('unknown_parameter')
  expect(fault.members.errors).toEqual([
    { parameter: 'statuss', code: 'unknown', detail: 'Unknown parameter. Did you mean `status`?' },
  ])
})

test('a parameter that is given twice is refused', () => {
  expect(faultOf('projects.list', { query: { limit: ['1', '2'] } }).code).toBe('invalid_parameter')
})

test('a write takes no query', () => {
  expect(faultOf('projects.create', { query: { name: 'x' }, body: { name: 'x' } }).code).toBe('unknown_parameter')
})

test('a body holds neither path parameters nor the expected version', () => {
  for (const [field, code] of [
    ['id', 'read_only'],
    ['expectedVersion', 'unknown'],
  ] as const) {
    const fault = faultOf('projects.update', { path: { id: 'p' }, body: { [field]: 1 } })
    expect(fault.members.errors).toMatchObject([{ pointer: `/${field}`, code }])
  }
})

test('an unknown field is refused with the nearest name', () => {
  const fault = faultOf('projects.create', { body: { nmae: 'x' } })

  expect(fault.code).toBe('unknown_field')
  expect(fault.members.errors).toEqual([
    { pointer: '/nmae', code: 'unknown', detail: 'Unknown field. Did you mean `name`?' },
  ])
})

test('a body that is no object is refused', () => {
  for (const body of [[], 'text', 7]) expect(faultOf('projects.create', { body }).code).toBe('validation_failed')
})

const search = operation({
  name: 'projects.search',
  http: 'GET /projects/{id}/things',
  summary: 'For these tests',
  description: 'One parameter of each kind.',
  scope: 'projects:read',
  input: closed({
    id: Type.String(),
    q: Type.Optional(Type.String()),
    size: Type.Optional(Type.Number()),
    after: Type.Optional(Type.Union([Type.Integer(), Type.Literal('start')])),
    ownerId: Type.Optional(Type.Array(Type.String())),
    numbers: Type.Optional(Type.Array(Type.Integer())),
    isOpen: Type.Optional(Type.Boolean()),
    customFields: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  output: Type.Null(),
  success: 200,
})
const put = operation({
  name: 'projects.put',
  http: 'PUT /projects/{source}',
  summary: 'For these tests',
  description: 'A write with conditions.',
  scope: 'projects:write',
  input: closed({
    source: Type.String(),
    name: Type.String(),
    expectedVersion: Type.Optional(Type.Integer()),
    createOnly: Type.Optional(Type.Boolean()),
  }),
  output: Type.Null(),
  success: 200,
})
const searchFor = (query: Record<string, unknown>) => inputFrom(search, parts({ path: { id: 'p' }, query }))

test.each([
  [
    { size: '3.25', after: '7', isOpen: 'false' },
    { size: 3.25, after: 7, isOpen: false },
  ],
  [
    { size: '-2', after: 'start' },
    { size: -2, after: 'start' },
  ],
  [
    { size: '1e3', after: '0x10', isOpen: 'TRUE' },
    { size: '1e3', after: '0x10', isOpen: 'TRUE' },
  ],
  [{ size: '+1' }, { size: '+1' }],
  [{ ownerId: '!me,!other' }, { ownerId: ['!me', '!other'] }],
  [{ numbers: '1,x' }, { numbers: [1, 'x'] }],
  [{ q: 'a,b' }, { q: 'a,b' }],
])('%j is read as %j', (query, input) => {
  expect(searchFor(query)).toEqual({ id: 'p', ...input })
})

test('filters by custom fields are gathered by their key', () => {
  const input = searchFor({
    'customFields.size[gte]': '3',
    'customFields.size[lte]': '9,5',
    'customFields.tier': 'a,b',
  })

  expect(input).toEqual({ id: 'p', customFields: { size: { gte: '3', lte: '9,5' }, tier: { eq: ['a', 'b'] } } })
})

test.each([
  'customFields',
  'customFields.',
  'customFields.size[gt]',
  'customFields.size[][]',
  'customFields[size]',
  'customFields.a[gte][lte]',
])('the parameter %s is unknown', (name) => {
  expect(faultOf(search, { query: { [name]: '3' } })).toMatchObject({
    code: 'unknown_parameter',
    members: { errors: [{ parameter: name, code: 'unknown' }] },
  })
})

test('where an operation has no custom fields, filters by them are unknown', () => {
  expect(faultOf('events.list', { query: { 'customFields.size': '3' } }).code).toBe('unknown_parameter')
})

test('a filter by a key of prototypes is a filter by a key', () => {
  const { customFields } = searchFor({ 'customFields.__proto__': 'x' }) as { customFields: object }

  expect(Object.keys(customFields)).toEqual(['__proto__'])
})

test('what takes a list may come several times, with brackets or without; what takes one value may not', () => {
  expect(
    searchFor({ 'ownerId[]': ['a', 'b,c'], ownerId: 'd', numbers: ['1', '2'], 'customFields.size': ['1', '2,3'] }),
  ).toEqual({
    id: 'p',
    ownerId: ['a', 'b', 'c', 'd'],
    numbers: [1, 2],
    customFields: { size: { eq: ['1', '2', '3'] } },
  })
  for (const query of [{ q: ['1', '2'] }, { q: '1', 'q[]': '2' }, { 'customFields.size[gte]': ['1', '2'] }]) {
    const [name = ''] = Object.keys(query)
    expect(faultOf(search, { query })).toMatchObject({
      code: 'invalid_parameter',
      members: { errors: [{ parameter: name, code: 'not_unique' }] },
    })
  }
})

test('however a list is split into parameters, it is the list that commas make', () => {
  const item = fc.string({ unit: fc.constantFrom('a', 'b', ',', '\\', '!', '[', ']', '.'), minLength: 1, maxLength: 4 })
  const split = fc.array(fc.tuple(fc.constantFrom('ownerId', 'ownerId[]'), fc.array(item, { minLength: 1 })), {
    minLength: 1,
  })
  fc.assert(
    fc.property(split, (given) => {
      const query: Record<string, string[]> = {}
      for (const [name, items] of given) (query[name] ??= []).push(textOfList(items))
      const bare = given.filter(([name]) => name === 'ownerId').flatMap(([, items]) => items)
      const bracketed = given.filter(([name]) => name !== 'ownerId').flatMap(([, items]) => items)
      const inOrder = Object.keys(query)[0] === 'ownerId' ? [...bare, ...bracketed] : [...bracketed, ...bare]

      expect(searchFor(query)).toEqual({ id: 'p', ownerId: inOrder })
      expect(searchFor({ ownerId: textOfList(inOrder) })).toEqual({ id: 'p', ownerId: inOrder })
    }),
  )
})

test.each(['q', 'size', 'ownerId', 'customFields.size', 'customFields.size[gte]'])(
  'the parameter %s without a value is refused by name',
  (name) => {
    expect(faultOf(search, { query: { [name]: '' } })).toMatchObject({
      code: 'invalid_parameter',
      members: { errors: [{ parameter: name, code: 'too_short' }] },
    })
  },
)

test('neither path parameters nor conditions are parameters, or suggested as such', () => {
  expect(faultOf(search, { query: { id: 'x' } }).message).toBe('id: Unknown parameter.')
  expect(faultOf(put, { path: { source: 's' }, body: { sourc: 1 } }).message).toBe('/sourc: Unknown field.')
  expect(faultOf(put, { path: { source: 's' }, body: { createOnly: true } }).code).toBe('unknown_field')
})

test('PUT takes its body and its path', () => {
  expect(inputFrom(put, parts({ path: { source: 's' }, body: { name: 'n' } }))).toEqual({ source: 's', name: 'n' })
})

test('the name of an unknown field is escaped in its pointer, and twenty are told', () => {
  const body = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a/b~${at}`, 1]))

  const { errors = [] } = faultOf('projects.create', { body }).members

  expect(errors.length).toBe(20)
  expect(errors[0]?.pointer).toBe('/a~1b~00')
})

test('a name without end is sent back with one', () => {
  const name = '😀'.repeat(100_000)

  expect(faultOf('projects.create', { body: { [name]: 1 } }).message.length).toBeLessThan(300)
  expect(faultOf('projects.list', { query: { [name]: 'x' } }).message.length).toBeLessThan(300)
})

test('null is no body', () => {
  expect(faultOf('projects.create', { body: null }).code).toBe('validation_failed')
})
