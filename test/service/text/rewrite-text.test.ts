import { expect, test } from 'vitest'
import { Type } from 'typebox'
import { Id, closed, nullable } from '#contract/shared-fields.ts'
import { canonicalSpelling } from '../../../service/validation/normalize-input.ts'

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
    ...{ name: id, one: small, many: [small], within: { projectIds: [small] } },
  })
})

test('what does not fit the schema is left to be refused', () => {
  const spell = canonicalSpelling(closed({ one: nullable(Id), many: Type.Array(Id), within: closed({ id: Id }) }))
  const odd = { one: null, many: id, within: [id], more: id }

  expect(spell(odd)).toEqual(odd)
  expect(spell(null)).toBeNull()
  expect(spell({ many: [7, null] })).toEqual({ many: [7, null] })
})
