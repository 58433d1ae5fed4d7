import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Type } from 'typebox'
import { operationNamed } from '#contract/api.ts'
import type { Fault } from '#contract/faults/fault.ts'
import { closed } from '#contract/shared-fields.ts'
import { textOfList } from '#contract/text-values.ts'
import { operation, type Operation } from '#contract/operation.ts'
import { inputFrom, type RequestParts, assertDecodable } from '../../../service/http/request-input.ts'
import { faultOf } from '../../support/faults.ts'

const read = (of: string | Operation, { path = {}, query = {}, body }: Partial<RequestParts>) =>
  inputFrom(typeof of === 'string' ? operationNamed(of) : of, { path, query, body })
const refusal = (of: string | Operation, given: Partial<RequestParts>): Fault | null => faultOf(() => read(of, given))

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
const searchFor = (query: Record<string, unknown>) => read(search, { path: { id: 'p' }, query })

test.each<[Record<string, unknown>, object]>([
  [
    { size: '3.25', after: '7', isOpen: 'false' },
    { size: 3.25, after: 7, isOpen: false },
  ],
  [
    { size: '-2', after: 'start' },
    { size: -2, after: 'start' },
  ],
  // What does not read as its type is left for the schema to refuse.
  ...[{ size: '1e3', after: '0x10', isOpen: 'TRUE' }, { size: '+1', isOpen: 'yes' }, { after: '3.5' }].map(
    (query): [Record<string, unknown>, object] => [query, query],
  ),
  [{ ownerId: '!me,!other' }, { ownerId: ['!me', '!other'] }],
  [{ numbers: '1,x' }, { numbers: [1, 'x'] }],
  [{ q: 'a,b' }, { q: 'a,b' }],
  [
    { 'ownerId[]': ['a', 'b,c'], ownerId: 'd', numbers: ['1', '2'] },
    { ownerId: ['a', 'b', 'c', 'd'], numbers: [1, 2] },
  ],
  [
    { 'customFields.size[gte]': '3', 'customFields.size[lte]': '9,5', 'customFields.tier': 'a,b' },
    { customFields: { size: { gte: '3', lte: '9,5' }, tier: { eq: ['a', 'b'] } } },
  ],
  [{ 'customFields.size': ['1', '2,3'] }, { customFields: { size: { eq: ['1', '2', '3'] } } }],
])('%j is read as %j', (query, input) => {
  expect(searchFor(query)).toEqual({ id: 'p', ...input })
})

test('a filter by a key of prototypes is a filter by a key', () => {
  const { customFields } = searchFor({ 'customFields.__proto__': 'x' }) as { customFields: object }

  expect(Object.keys(customFields)).toEqual(['__proto__'])
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
      // In the order in which the names come first.
      const inOrder = Object.keys(query).flatMap((name) =>
        given.filter(([each]) => each === name).flatMap(([, items]) => items),
      )

      expect(searchFor(query)).toEqual({ id: 'p', ownerId: inOrder })
      expect(searchFor({ ownerId: textOfList(inOrder) })).toEqual({ id: 'p', ownerId: inOrder })
    }),
  )
})

test.each([
  ['unknown_parameter', 'unknown', 'customFields', '3'],
  ['unknown_parameter', 'unknown', 'customFields.', '3'],
  ['unknown_parameter', 'unknown', 'customFields.size[gt]', '3'],
  ['unknown_parameter', 'unknown', 'customFields.size[][]', '3'],
  ['unknown_parameter', 'unknown', 'customFields[size]', '3'],
  ['unknown_parameter', 'unknown', 'customFields.a[gte][lte]', '3'],
  ['invalid_parameter', 'too_short', 'q', ''],
  ['invalid_parameter', 'too_short', 'size', ''],
  ['invalid_parameter', 'too_short', 'ownerId', ''],
  ['invalid_parameter', 'too_short', 'customFields.size', ''],
  ['invalid_parameter', 'too_short', 'customFields.size[gte]', ''],
  ['invalid_parameter', 'not_unique', 'q', ['1', '2']],
  ['invalid_parameter', 'not_unique', 'customFields.size[gte]', ['1', '2']],
])('%s, %s: the parameter %s with %j', (code, detail, parameter, value) => {
  expect(refusal(search, { query: { [parameter]: value } })).toMatchObject({
    code,
    members: { errors: [{ parameter, code: detail }] },
  })
})

test('what takes one value may not come with brackets and without', () => {
  expect(refusal(search, { query: { q: '1', 'q[]': '2' } })).toMatchObject({
    code: 'invalid_parameter',
    members: { errors: [{ parameter: 'q', code: 'not_unique' }] },
  })
})

test.each<[string, Partial<RequestParts>, string, object]>([
  [
    'projects.list',
    { query: { statuss: 'active' } },
    'unknown_parameter',
    { parameter: 'statuss', code: 'unknown', detail: 'Unknown parameter. Did you mean `status`?' },
  ],
  [
    'projects.create',
    { body: { nmae: 'x' } },
    'unknown_field',
    { pointer: '/nmae', code: 'unknown', detail: 'Unknown field. Did you mean `name`?' },
  ],
  // A body holds neither path parameters nor the expected version.
  [
    'projects.update',
    { path: { id: 'p' }, body: { id: 1 } },
    'validation_failed',
    { pointer: '/id', code: 'read_only' },
  ],
  [
    'projects.update',
    { path: { id: 'p' }, body: { expectedVersion: 1 } },
    'unknown_field',
    { pointer: '/expectedVersion', code: 'unknown' },
  ],
])('%s refuses %j as %s', (name, given, code, error) => {
  expect(refusal(name, given)).toMatchObject({ code, members: { errors: [error] } })
})

test('a write takes no query, and filters by custom fields are unknown where there are none', () => {
  expect(refusal('projects.create', { query: { name: 'x' }, body: { name: 'x' } })?.code).toBe('unknown_parameter')
  expect(refusal('events.list', { query: { 'customFields.size': '3' } })?.code).toBe('unknown_parameter')
})

test.each([[[]], ['text'], [7], [null]])('%j is no body', (body) => {
  expect(refusal('projects.create', { body })?.code).toBe('validation_failed')
})

test('neither path parameters nor conditions are parameters, or suggested as such', () => {
  expect(refusal(search, { query: { id: 'x' } })?.message).toBe('id: Unknown parameter.')
  expect(refusal(put, { path: { source: 's' }, body: { sourc: 1 } })?.message).toBe('/sourc: Unknown field.')
  expect(refusal(put, { path: { source: 's' }, body: { createOnly: true } })?.code).toBe('unknown_field')
})

test('PUT takes its body and its path', () => {
  expect(read(put, { path: { source: 's' }, body: { name: 'n' } })).toEqual({ source: 's', name: 'n' })
})

test('the name of an unknown field is escaped in its pointer, and twenty are told', () => {
  const body = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a/b~${at}`, 1]))

  const errors = refusal('projects.create', { body })?.members.errors

  expect(errors).toHaveLength(20)
  expect(errors?.[0]?.pointer).toBe('/a~1b~00')
})

test('a name without end is sent back with one', () => {
  const name = '😀'.repeat(100_000)

  for (const given of [{ body: { [name]: 1 } }, { query: { [name]: 'x' } }]) {
    const message = refusal('body' in given ? 'projects.create' : 'projects.list', given)?.message
    expect(message?.length).toBeLessThan(300)
  }
})

test.each(['/p', '/p?', '/p?q=a+b&r=%25', '/p?q=caf%C3%A9', '/p?customFields.a%5Bgte%5D=1', '/p/%zz?q=a'])(
  'the query of %s can be read',
  (url) => {
    expect(() => assertDecodable(url)).not.toThrow()
  },
)

test.each([
  ['/p?q=%FF', 'q'],
  ['/p?limit=1&name=%E2%82', 'name'],
  ['/p?q=100%', 'q'],
  ['/p?q=%ED%A0%80', 'q'],
  ['/p?%FF=1', '%FF'],
])('the query of %s is refused, and %s named', (url, parameter) => {
  expect(faultOf(() => assertDecodable(url))).toMatchObject({
    code: 'invalid_parameter',
    members: { errors: [{ parameter, code: 'wrong_format' }] },
  })
})
