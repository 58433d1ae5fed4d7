import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { commented } from '#contract/comments.ts'
import { collectionSegments } from '#contract/scopes.ts'
import { Id, closed, nullable } from '#contract/shared-fields.ts'
import {
  canonicalSpelling,
  emptyTextAsNull,
  normalize,
  nullAsEmptyLists,
} from '../../../service/validation/normalize-input.ts'
import { assertSpans, choiceOf } from '../../../service/validation/query-parameters.ts'

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

test('a character that no text may have is refused where it stands, in a value and in a name', () => {
  const characters = ['\0', '\u001b', '\v', '\u007f', '\ud83d', '\ude00']
  const said = ['U+0000', 'U+001B', 'U+000B', 'U+007F', 'surrogate', 'surrogate']

  for (const [at, character] of characters.entries()) {
    const detail = expect.stringContaining(said[at]!) as string
    expect(normalize({ a: ['ok', `x${character}y`], [`b${character}`]: 1 }).errors).toMatchObject([
      { pointer: '/a/1', detail },
      { pointer: `/b${character}`, detail },
    ])
  }
})

test('line ends, marks of direction, emoji and every character but those are taken', () => {
  const texts = ['line\nbreak\r\n\ttab', '\u202eturned\u202c', '\u0085\u0092', '\u200f\u200b\ufeff', '\uffff\ufffd']

  for (const text of ['😀👩‍👩‍👧', ...texts]) expect(normalize(text)).toEqual({ value: text.normalize('NFC'), errors: [] })
})

test('names that become one, numbers that would be read as others and names that could change a prototype are refused', () => {
  const numbers = ['9007199254740993', '9007199254740992', '1e400', '123456789012345678901234567890.5']

  expect(flaws({ in: { '\u00e9': 1, 'e\u0301': 2 } })).toEqual([['/in', 'not_unique']])
  for (const number of numbers) expect(flaws(JSON.parse(`{"n":[${number}]}`))).toEqual([['/n/0', 'too_large']])
  for (const number of ['-9007199254740993', '-1e400'])
    expect(flaws(JSON.parse(`{"n":[${number}]}`))).toEqual([['/n/0', 'too_small']])
  expect(flaws(JSON.parse('{"a":{"__proto__":{"isAdmin":true}}}'))).toEqual([['/a/__proto__', 'wrong_format']])
  expect(flaws({ constructor: { prototype: { isAdmin: true } } })).toEqual([['/constructor', 'wrong_format']])
  expect('isAdmin' in {}).toBe(false)
  for (const taken of [9_007_199_254_740_991, -9_007_199_254_740_991, 0.1, -0, 1e15, 5e-324])
    expect(flaws([taken, { constructor: 'Ada', prototype: 1 }])).toEqual([])
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
  const written = operations.filter(({ name }) => /\.(?:create|update|upsert)(?:-comment)?$/.test(name))
  const segments = [...collectionSegments, 'comments']
  const inCollections = written.filter(({ name }) => segments.some((each) => name.startsWith(`${each}.`)))

  expect(operations.filter(({ emptyTextIsNull }) => emptyTextIsNull)).toEqual(inCollections)
  expect(inCollections).toHaveLength(3 * segments.length + 2 * commented.length)
})

test('a `!` negates, and one with a backslash before it belongs to the value', () => {
  expect(choiceOf(['!a', '!!b', '!\\!c'])).toEqual({ values: ['a', '!b', '\\!c'], negated: true })
  expect(choiceOf(['a', '\\!b', '\\\\!c', '\\d'])).toEqual({ values: ['a', '!b', '\\!c', '\\d'], negated: false })
})

const refuse = (field: string, code: string): never => {
  throw new Error(`${field} ${code}`)
}
const at = (seconds: number) => `2026-01-31T12:00:0${seconds}Z`

test('a span that something can lie in is fine, as is one that is open; one that ends before it begins is refused by name', () => {
  const fine = [
    { createdAfter: '2026-01-31T13:00:00+02:00', createdBefore: '2026-01-31T12:00:00Z' },
    { dueAfter: '2026-01-31', dueBefore: '2026-02-02' },
    { updatedBefore: at(1), createdAfter: at(5) },
  ]
  const refused = {
    createdBefore: { createdAfter: at(2), createdBefore: at(1) },
    updatedBefore: { updatedAfter: at(2), updatedBefore: at(2) },
    dueBefore: { dueAfter: '2026-01-31', dueBefore: '2026-02-01' },
  }

  for (const query of fine) expect(() => assertSpans(query, refuse)).not.toThrow()
  for (const [name, query] of Object.entries(refused))
    expect(() => assertSpans(query, refuse)).toThrow(`${name} too_small`)
})
