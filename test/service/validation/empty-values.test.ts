import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { collectionSegments } from '#contract/scopes.ts'
import { closed, nullable } from '#contract/shared-fields.ts'
import { emptyTextAsNull, nullAsEmptyLists } from '../../../service/validation/normalize-input.ts'
import { assertInput } from '../../../service/validation/validate-operation.ts'

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
    ...{ text: null, choice: null },
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
