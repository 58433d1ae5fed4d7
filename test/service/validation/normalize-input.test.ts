import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  normalize,
  canonicalSpelling,
  emptyTextAsNull,
  nullAsEmptyLists,
} from '../../../service/validation/normalize-input.ts'
import { Type } from 'typebox'
import { Id, closed, nullable } from '#contract/shared-fields.ts'
import { operations } from '#contract/api.ts'
import { collectionSegments } from '#contract/scopes.ts'
import { assertInput } from '../../../service/validation/validate-operation.ts'

const flaws = (value: unknown) => normalize(value).errors.map(({ pointer, code }) => [pointer, code])

test('text comes out in NFC, names too', () => {
  const { value, errors: flaws } = normalize({
    name: 'Cafe\u0301',
    'e\u0301': ['\u212b', { deep: '\u1112\u1161\u11ab' }],
    n: 1,
  })

  expect(value).toEqual({ name: 'Caf\u00e9', '\u00e9': ['\u00c5', { deep: '\ud55c' }], n: 1 })
  expect(flaws).toEqual([])
})

test('any value comes out in NFC, and what was so before is not copied', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { value: once } = normalize(value)

      expect(JSON.stringify(once)).toBe(JSON.stringify(once).normalize('NFC'))
      expect(normalize(once).value).toBe(once)
    }),
  )
})

test('two spellings of one name are refused', () => {
  expect(flaws({ in: { '\u00e9': 1, 'e\u0301': 2 } })).toEqual([['/in', 'not_unique']])
})

test.each([
  ['NUL', '\0', 'U+0000'],
  ['escape', '\u001b', 'U+001B'],
  ['vertical tab', '\v', 'U+000B'],
  ['delete', '\u007f', 'U+007F'],
  ['half a pair', '\ud83d', 'surrogate'],
  ['the other half', '\ude00', 'surrogate'],
])('%s is refused where it stands, in a value and in a name', (_name, character, said) => {
  const { errors: flaws } = normalize({ a: ['ok', `x${character}y`], [`b${character}`]: 1 })

  expect(flaws.map(({ pointer }) => pointer)).toEqual(['/a/1', `/b${character}`])
  for (const { detail } of flaws) expect(detail).toContain(said)
})

test.each(['line\nbreak\r\n\ttab', '\u202eturned\u202c', '\u0085\u0092', '😀👩‍👩‍👧', '\u200f\u200b\ufeff', '\uffff\ufffd'])(
  '%j is taken',
  (text) => {
    expect(normalize(text)).toEqual({ value: text.normalize('NFC'), errors: [] })
  },
)

test.each([
  ['9007199254740993', 'too_large'],
  ['-9007199254740993', 'too_small'],
  ['9007199254740992', 'too_large'],
  ['1e400', 'too_large'],
  ['-1e400', 'too_small'],
  ['123456789012345678901234567890.5', 'too_large'],
])('the number %s is refused: it would be read as another', (number, code) => {
  expect(flaws(JSON.parse(`{"n":[${number}]}`))).toEqual([['/n/0', code]])
})

test.each(['9007199254740991', '-9007199254740991', '0.1', '-0', '1e15', '5e-324'])(
  'the number %s is taken',
  (number) => {
    expect(flaws(JSON.parse(number))).toEqual([])
  },
)

test.each([
  ['{"customFields":{"__proto__":{"isAdmin":true}}}', '/customFields/__proto__'],
  ['{"constructor":{"prototype":{"isAdmin":true}}}', '/constructor'],
])('%s is refused, and changes no prototype', (text, pointer) => {
  expect(flaws(JSON.parse(text))).toEqual([[pointer, 'wrong_format']])
  expect('isAdmin' in {}).toBe(false)
})

test('`constructor` alone is a name', () => {
  expect(flaws({ constructor: 'Ada', prototype: 1 })).toEqual([])
})

test('twenty flaws are named, the rest is left', () => {
  expect(flaws(Array.from({ length: 100 }, () => '\0')).length).toBe(20)
})

const id = '01999999-0000-7000-8000-00000000ABCD'
const small = id.toLowerCase()

test('ids are spelt in small letters wherever the schema has them, and nothing else is', () => {
  const spell = canonicalSpelling(
    closed({
      name: Type.String(),
      one: nullable(Id),
      many: Type.Array(Id),
      within: closed({ projectIds: Type.Optional(Type.Array(Id)) }),
    }),
  )

  expect(spell({ name: id, one: id, many: [id], within: { projectIds: [id] } })).toEqual({
    name: id,
    one: small,
    many: [small],
    within: { projectIds: [small] },
  })
})

test('what does not fit the schema is left to be refused', () => {
  const spell = canonicalSpelling(closed({ one: nullable(Id), many: Type.Array(Id), within: closed({ id: Id }) }))
  const odd = { one: null, many: id, within: [id], more: id }

  expect(spell(odd)).toEqual(odd)
  expect(spell(null)).toBeNull()
  expect(spell({ many: [7, null] })).toEqual({ many: [7, null] })
})

const schema = closed({
  text: nullable(Type.String({ minLength: 1 })),
  choice: nullable(Type.Enum(['a', 'b'])),
  count: nullable(Type.Integer()),
  must: Type.String(),
  list: nullable(Type.Array(nullable(Type.String()))),
  inner: nullable(closed({ day: nullable(Type.String({ format: 'date' })), must: Type.String() })),
})

test('empty text is null wherever a schema takes text or null, in an object of an object too', () => {
  const rewrite = emptyTextAsNull(schema)

  expect(rewrite({ text: '', choice: '', inner: { day: '', must: '' } })).toEqual({
    text: null,
    choice: null,
    inner: { day: null, must: '' },
  })
})

test('what is not empty, takes no null or is no text stays, and is not copied', () => {
  const rewrite = emptyTextAsNull(schema)

  for (const value of [
    { text: ' ', must: '', count: '', list: [''], inner: { day: 'x', must: '' }, unknown: '' },
    { inner: '' },
    { inner: [''] },
    [''],
    '',
    null,
  ])
    expect(rewrite(value)).toBe(value)
})

test('null is the empty list where the list may be empty, and what is left out stays out', () => {
  const lists = closed({ some: nullable(Type.Array(Type.String())), more: Type.Array(Type.String()) })
  const rewrite = nullAsEmptyLists(lists)

  expect(rewrite({ some: null, more: null })).toEqual({ some: [], more: null })
  for (const value of [{ some: ['a'] }, { some: undefined }, {}]) expect(rewrite(value)).toBe(value)
})

const written = operations.filter(({ name }) => /\.(?:create|update|upsert)$/.test(name))
const inCollections = written.filter(({ name }) => collectionSegments.some((each) => name.startsWith(`${each}.`)))

test('every call that writes an object of a collection reads empty text as null, and no other does', () => {
  expect(operations.filter(({ emptyTextIsNull }) => emptyTextIsNull).map(({ name }) => name)).toEqual(
    inCollections.map(({ name }) => name),
  )
  expect(inCollections).toHaveLength(3 * collectionSegments.length)
})

test.each([
  ['name', '', ['too_short Is empty.']],
  ['labels', [''], ['too_short Is empty.']],
  ['labels', 'a,b', ['wrong_type Must be a list.']],
  ['key', '', ['wrong_format Must be two to ten capitals, such as WEB.']],
])('%s: %j is refused with one message', (field, value, expected) => {
  const create = operations.find(({ name }) => name === 'projects.create')!

  expect(() => assertInput(create, { name: 'x', [field]: value })).toThrow(
    expect.objectContaining({
      members: {
        errors: expected.map((each) => {
          const [code, ...detail] = each.split(' ')
          return { pointer: expect.stringContaining(`/${field}`), code, detail: detail.join(' ') }
        }),
      },
    }) as Error,
  )
})
