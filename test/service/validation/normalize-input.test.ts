import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { collectionSegments } from '#contract/scopes.ts'
import { Id, closed, nullable } from '#contract/shared-fields.ts'
import {
  normalize,
  canonicalSpelling,
  emptyTextAsNull,
  nullAsEmptyLists,
} from '../../../service/validation/normalize-input.ts'

const flaws = (value: unknown) => normalize(value).errors.map(({ pointer, code }) => [pointer, code])

test('text comes out in NFC, names too', () => {
  const given = { name: 'Cafe\u0301', 'e\u0301': ['\u212b', { deep: '\u1112\u1161\u11ab' }], n: 1 }

  const value = { name: 'Caf\u00e9', '\u00e9': ['\u00c5', { deep: '\ud55c' }], n: 1 }
  expect(normalize(given)).toEqual({ value, errors: [] })
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

test.each([
  ['NUL', '\0', 'U+0000'],
  ['escape', '\u001b', 'U+001B'],
  ['vertical tab', '\v', 'U+000B'],
  ['delete', '\u007f', 'U+007F'],
  ['half a pair', '\ud83d', 'surrogate'],
  ['the other half', '\ude00', 'surrogate'],
])('%s is refused where it stands, in a value and in a name', (_name, character, said) => {
  const { errors } = normalize({ a: ['ok', `x${character}y`], [`b${character}`]: 1 })

  const detail = expect.stringContaining(said) as string
  expect(errors).toMatchObject([
    { pointer: '/a/1', detail },
    { pointer: `/b${character}`, detail },
  ])
})

test.each(['line\nbreak\r\n\ttab', '\u202eturned\u202c', '\u0085\u0092', '😀👩‍👩‍👧', '\u200f\u200b\ufeff', '\uffff\ufffd'])(
  '%j is taken',
  (text) => {
    expect(normalize(text)).toEqual({ value: text.normalize('NFC'), errors: [] })
  },
)

test.each([
  ['{"in":{"\u00e9":1,"e\u0301":2}}', '/in', 'not_unique'],
  // Numbers that would be read as others.
  ['{"n":[9007199254740993]}', '/n/0', 'too_large'],
  ['{"n":[-9007199254740993]}', '/n/0', 'too_small'],
  ['{"n":[9007199254740992]}', '/n/0', 'too_large'],
  ['{"n":[1e400]}', '/n/0', 'too_large'],
  ['{"n":[-1e400]}', '/n/0', 'too_small'],
  ['{"n":[123456789012345678901234567890.5]}', '/n/0', 'too_large'],
  // Names that could change a prototype.
  ['{"customFields":{"__proto__":{"isAdmin":true}}}', '/customFields/__proto__', 'wrong_format'],
  ['{"constructor":{"prototype":{"isAdmin":true}}}', '/constructor', 'wrong_format'],
])('%s is refused at %s as %s', (text, pointer, code) => {
  expect(flaws(JSON.parse(text))).toEqual([[pointer, code]])
  expect('isAdmin' in {}).toBe(false)
})

test.each([
  '9007199254740991',
  '-9007199254740991',
  '0.1',
  '-0',
  '1e15',
  '5e-324',
  '{"constructor":"Ada","prototype":1}',
])('%s is taken', (text) => {
  expect(flaws(JSON.parse(text))).toEqual([])
})

test('twenty flaws are named, the rest is left', () => {
  expect(flaws(Array.from({ length: 100 }, () => '\0'))).toHaveLength(20)
})

test('ids are spelt in small letters wherever the schema has them, and nothing else is', () => {
  const id = '01999999-0000-7000-8000-00000000ABCD'
  const small = id.toLowerCase()
  const within = closed({ projectIds: Type.Optional(Type.Array(Id)) })
  const spell = canonicalSpelling(closed({ name: Type.String(), one: nullable(Id), many: Type.Array(Id), within }))

  expect(spell({ name: id, one: id, many: [id], within: { projectIds: [id] } })).toEqual({
    name: id,
    one: small,
    many: [small],
    within: { projectIds: [small] },
  })
  // What does not fit is left to be refused.
  for (const odd of [{ one: null, many: id, within: [id], more: id }, { many: [7, null] }, null])
    expect(spell(odd)).toEqual(odd)
})

test('empty text is null wherever a schema takes text or null, and what else there is stays, and is not copied', () => {
  const schema = closed({
    text: nullable(Type.String({ minLength: 1 })),
    choice: nullable(Type.Enum(['a', 'b'])),
    count: nullable(Type.Integer()),
    must: Type.String(),
    list: nullable(Type.Array(nullable(Type.String()))),
    inner: nullable(closed({ day: nullable(Type.String({ format: 'date' })), must: Type.String() })),
  })
  const rewrite = emptyTextAsNull(schema)

  expect(rewrite({ text: '', choice: '', inner: { day: '', must: '' } })).toEqual({
    text: null,
    choice: null,
    inner: { day: null, must: '' },
  })
  const other = { text: ' ', must: '', count: '', list: [''], inner: { day: 'x', must: '' }, unknown: '' }
  for (const value of [other, { inner: '' }, { inner: [''] }, [''], '', null]) expect(rewrite(value)).toBe(value)
})

test('null is the empty list where the list may be empty, and what is left out stays out', () => {
  const lists = closed({ some: nullable(Type.Array(Type.String())), more: Type.Array(Type.String()) })
  const rewrite = nullAsEmptyLists(lists)

  expect(rewrite({ some: null, more: null })).toEqual({ some: [], more: null })
  for (const value of [{ some: ['a'] }, { some: undefined }, {}]) expect(rewrite(value)).toBe(value)
})

test('every call that writes an object of a collection reads empty text as null, and no other does', () => {
  const written = operations.filter(({ name }) => /\.(?:create|update|upsert)$/.test(name))
  const inCollections = written.filter(({ name }) => collectionSegments.some((each) => name.startsWith(`${each}.`)))

  expect(operations.filter(({ emptyTextIsNull }) => emptyTextIsNull)).toEqual(inCollections)
  expect(inCollections).toHaveLength(3 * collectionSegments.length)
})
