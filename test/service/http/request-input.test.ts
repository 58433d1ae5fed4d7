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

const told = { summary: 'For these tests', description: 'Nobody calls it.', output: Type.Null(), success: 200 } as const
/** One parameter of each kind. */
const search = operation({
  ...told,
  name: 'projects.search',
  http: 'GET /projects/{id}/things',
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
})
const put = operation({
  ...told,
  name: 'projects.put',
  http: 'PUT /projects/{source}',
  scope: 'projects:write',
  input: closed({
    source: Type.String(),
    name: Type.String(),
    expectedVersion: Type.Optional(Type.Integer()),
    createOnly: Type.Optional(Type.Boolean()),
  }),
})
const near = (name: string) => `Unknown ${name === 'status' ? 'parameter' : 'field'}. Did you mean \`${name}\`?`
const searchFor = (query: Record<string, unknown>) => read(search, { path: { id: 'p' }, query })

const asTheyAre = [{ size: '1e3', after: '0x10', isOpen: 'TRUE' }, { size: '+1', isOpen: 'yes' }, { after: '3.5' }]
const sizes = { 'customFields.size[gte]': '3', 'customFields.size[lte]': '9,5', 'customFields.tier': 'a,b' }
const bracketed = { 'ownerId[]': ['a', 'b,c'], ownerId: 'd', numbers: ['1', '2'] }

test.each<[object, object]>([
  [{ size: '3.25' }, { size: 3.25 }],
  [{ size: '-2' }, { size: -2 }],
  [{ after: '7' }, { after: 7 }],
  [{ after: 'start' }, { after: 'start' }],
  [{ isOpen: 'false' }, { isOpen: false }],
  // What does not read as its type is left for the schema to refuse.
  ...asTheyAre.map((query): [object, object] => [query, query]),
  [{ ownerId: '!me,!other' }, { ownerId: ['!me', '!other'] }],
  [{ numbers: '1,x' }, { numbers: [1, 'x'] }],
  [{ q: 'a,b' }, { q: 'a,b' }],
  [bracketed, { ownerId: ['a', 'b', 'c', 'd'], numbers: [1, 2] }],
  [sizes, { customFields: { size: { gte: '3', lte: '9,5' }, tier: { eq: ['a', 'b'] } } }],
  [{ 'customFields.size': ['1', '2,3'] }, { customFields: { size: { eq: ['1', '2', '3'] } } }],
])('%j is read as %j', (query, input) => {
  expect(searchFor({ ...query })).toEqual({ id: 'p', ...input })
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

const inFields = (...rest: string[]) => rest.map((each): [string, unknown] => [`customFields${each}`, '3'])
const empty = (...names: string[]) => names.map((each): [string, unknown] => [each, ''])

test.each<[string, string, [string, unknown][]]>([
  ['unknown_parameter', 'unknown', inFields('', '.', '.size[gt]', '.size[][]', '[size]', '.a[gte][lte]')],
  ['invalid_parameter', 'too_short', empty('q', 'size', 'ownerId', 'customFields.size', 'customFields.size[gte]')],
  ['invalid_parameter', 'not_unique', ['q', 'customFields.size[gte]'].map((each) => [each, ['1', '2']])],
])('%s, %s: each of the parameters %j', (code, detail, parameters) => {
  for (const [parameter, value] of parameters)
    expect(refusal(search, { query: { [parameter]: value } })).toMatchObject({
      code,
      members: { errors: [{ parameter, code: detail }] },
    })
})

test('what takes one value may not come with brackets and without', () => {
  const errors = [{ parameter: 'q', code: 'not_unique' }]

  const fault = refusal(search, { query: { q: '1', 'q[]': '2' } })

  expect(fault).toMatchObject({ code: 'invalid_parameter', members: { errors } })
})

const inPath = { id: 'p' }

test.each<[string, Partial<RequestParts>, string, object]>([
  ['projects.list', { query: { statuss: 'x' } }, 'unknown_parameter', { parameter: 'statuss', detail: near('status') }],
  ['projects.create', { body: { nmae: 'x' } }, 'unknown_field', { pointer: '/nmae', detail: near('name') }],
  // A body holds neither path parameters nor the expected version.
  ['projects.update', { path: inPath, body: { id: 1 } }, 'validation_failed', { pointer: '/id', code: 'read_only' }],
  ['projects.update', { path: inPath, body: { expectedVersion: 1 } }, 'unknown_field', { pointer: '/expectedVersion' }],
])('%s refuses %j as %s', (name, given, code, error) => {
  const unknown = code.startsWith('unknown') && { code: 'unknown' }

  expect(refusal(name, given)).toMatchObject({ code, members: { errors: [{ ...error, ...unknown }] } })
})

test('a write takes no query, an object for a body, and its path beside it; neither path nor conditions are suggested', () => {
  const path = { source: 's' }

  expect(refusal('projects.create', { query: { name: 'x' }, body: { name: 'x' } })?.code).toBe('unknown_parameter')
  for (const body of [[], 'text', 7, null]) expect(refusal('projects.create', { body })?.code).toBe('validation_failed')
  expect(read(put, { path, body: { name: 'n' } })).toEqual({ source: 's', name: 'n' })
  expect(refusal(put, { path, body: { sourc: 1 } })?.message).toBe('/sourc: Unknown field.')
  expect(refusal(put, { path, body: { createOnly: true } })?.code).toBe('unknown_field')
  const others = 'id: Unknown parameter. There are: q, size, after, ownerId, numbers, isOpen.'
  expect(refusal(search, { query: { id: 'x' } })?.message).toBe(others)
  expect(refusal('events.list', { query: { 'customFields.size': '3' } })?.code).toBe('unknown_parameter')
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
    expect(message?.length).toBeLessThan(1_500)
  }
})

test('a query that can be decoded is read, and of another the parameter is named', () => {
  const fine = ['/p', '/p?', '/p?q=a+b&r=%25', '/p?q=caf%C3%A9', '/p?customFields.a%5Bgte%5D=1', '/p/%zz?q=a']
  const refused = { q: ['q=%FF', 'q=100%', 'q=%ED%A0%80'], name: ['limit=1&name=%E2%82'], '%FF': ['%FF=1'] }

  for (const url of fine) expect(() => assertDecodable(url)).not.toThrow()
  for (const [parameter, queries] of Object.entries(refused))
    for (const query of queries)
      expect(faultOf(() => assertDecodable(`/p?${query}`))).toMatchObject({
        code: 'invalid_parameter',
        members: { errors: [{ parameter, code: 'wrong_format' }] },
      })
})
