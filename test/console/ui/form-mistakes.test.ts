// What a form says before it calls, what it makes of a refusal, and what it sends of a change.
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import type { Problem } from '#contract/faults/problem-details.ts'
import { changedLabels, patchBetween } from '../../../console/app/edit-conflict.ts'
import { mistakesIn, mistakesOf } from '../../../console/ui/form-mistakes.ts'

const schema = Type.Object({
  name: Type.String({ minLength: 2, maxLength: 5, format: 'line' }),
  email: Type.Optional(Type.String({ format: 'email' })),
  code: Type.Optional(Type.String({ pattern: '^[a-z]+$' })),
  note: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  share: Type.Optional(Type.Number({ maximum: 1 })),
  kinds: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
  pair: Type.Optional(Type.Array(Type.String(), { minItems: 2 })),
  isOn: Type.Optional(Type.Boolean()),
})
const sound = { name: 'Ada' }

test.each([
  [sound, {}],
  [{}, { name: 'This field is required.' }],
  [{ name: '' }, { name: 'This field is required.' }],
  [{ name: 'A' }, { name: 'Enter at least 2 characters.' }],
  [{ name: 'Lovelace' }, { name: 'Enter at most 5 characters (currently 8).' }],
  [{ name: '   ' }, { name: 'This field is required.' }],
  [{ ...sound, email: 'ada' }, { email: 'Enter a valid email address.' }],
  [{ ...sound, email: '' }, {}],
  [{ ...sound, code: 'A1' }, { code: 'This value has the wrong format.' }],
  [{ ...sound, note: 'long' }, { note: 'Enter at most 3 characters (currently 4).' }],
  [{ name: 'Ad', email: 'ada@example.com', code: 'abc', note: 'abc', days: 1, share: 0.5, kinds: ['a'] }, {}],
  [{ name: 'Lovel', note: null, days: 9, share: 1, kinds: ['a', 'b'], pair: ['a', 'b'] }, {}],
  [{ ...sound, days: 0 }, { days: 'Enter 1 or more.' }],
  [{ ...sound, days: 10 }, { days: 'Enter 9 or less.' }],
  [{ ...sound, days: 1.5 }, { days: 'Enter a whole number.' }],
  [{ ...sound, kinds: [] }, { kinds: 'Choose at least one.' }],
  [{ ...sound, kinds: ['a', 'b', 'c'] }, { kinds: 'Choose at most 2 (currently 3).' }],
  [{ ...sound, pair: ['a'] }, { pair: 'Choose at least 2.' }],
  [{ ...sound, isOn: true, unknown: 'x' }, {}],
])('%j: %j', (values, mistakes) => {
  expect(mistakesIn(schema, values)).toEqual(mistakes)
})

test('what the API refused stands at the field that each pointer begins with, or in which another object has the same', () => {
  const errors = [
    { pointer: '/ipAllowlist/3', code: 'wrong_format', detail: 'No address.' },
    { pointer: '/name', code: 'too_long', detail: 'Too long.' },
    { parameter: 'limit', code: 'too_large', detail: 'Too large.' },
  ]

  expect(mistakesOf({ errors } as unknown as Problem)).toEqual({ ipAllowlist: 'No address.', name: 'Too long.' })
  expect(mistakesOf({} as Problem)).toEqual({})
  const taken = { email: 'This value is already in use.' }
  expect(mistakesOf({ code: 'duplicate', field: 'email' } as unknown as Problem)).toEqual(taken)
  expect(mistakesOf({ code: 'not_found', field: 'email' } as unknown as Problem)).toEqual({})
})

test('a patch has the fields that differ, compared by what they hold, one that was emptied as well', () => {
  const before = { name: 'One', note: 'Old', scopes: ['a', 'b'], expiresAt: null, filter: { kinds: ['deal'] } }

  expect(patchBetween(before, { ...before, scopes: ['a', 'b'], filter: { kinds: ['deal'] } })).toEqual({})
  const changed = { note: null as never, scopes: ['a'], expiresAt: '2027-01-01' as never }
  expect(patchBetween(before, { ...before, ...changed })).toEqual(changed)
})

test('changed fields are told by their labels, in the order of the labels, and others are not told', () => {
  const labels = { name: 'Name', url: 'Address' }

  expect(changedLabels(labels, { name: 'a', url: 'b', version: 1 }, { name: 'c', url: 'd', version: 2 })).toEqual([
    'Name',
    'Address',
  ])
  expect(changedLabels(labels, { name: 'a', url: 'b' }, { name: 'a', url: 'b' })).toEqual([])
})
