import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import type { Definition } from '../../../service/custom-fields/rules.ts'
import { mergeValues, newMembers, type Values } from '../../../service/custom-fields/values.ts'

const define = (key: string, type: Definition['type'], more: Partial<Definition> = {}): Definition => ({
  key,
  type,
  options: [],
  required: false,
  archived: false,
  ...more,
})

const ada = '0199f0a0-0000-7000-8000-00000000000a'
const definitions = [
  define('note', 'text'),
  define('points', 'number'),
  define('go_live', 'date'),
  define('billable', 'boolean'),
  define('tier', 'select', { options: ['gold', 'silver'] }),
  define('regions', 'multi_select', { options: ['north', 'south', 'west'] }),
  define('reviewer', 'user'),
  define('site', 'url'),
]

type Refusal = { readonly code: string; readonly errors: readonly FieldError[] }

function refusalOf(act: () => unknown): Refusal | null {
  try {
    act()
    return null
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    return { code: thrown.code, errors: thrown.members.errors ?? [] }
  }
}
const refusal = (patch: Values, before: Values | null = null, defined = definitions) =>
  refusalOf(() => mergeValues(defined, before, patch))

test('a value of every type is taken as it is', () => {
  const values = {
    note: 'n',
    points: -1.5,
    go_live: '2028-02-29',
    billable: false,
    tier: 'gold',
    regions: ['west', 'north'],
    reviewer: ada,
    site: 'https://example.com/a?b',
  }

  expect(mergeValues(definitions, null, values)).toEqual(values)
})

test('a patch sets what it names, clears what it nulls and leaves the rest', () => {
  const before = { note: 'n', points: 1, tier: 'gold' }

  expect(mergeValues(definitions, before, { points: 2, tier: null, billable: true })).toEqual({
    note: 'n',
    points: 2,
    billable: true,
  })
  expect(mergeValues(definitions, before, { note: '', tier: '', site: '' })).toEqual({ points: 1 })
  expect(mergeValues(definitions, before, undefined)).toEqual(before)
  expect(before).toEqual({ note: 'n', points: 1, tier: 'gold' })
})

test('merging is RFC 7396: applying a patch twice is applying it once, and what it does not name stays', () => {
  const value = fc.option(fc.string({ maxLength: 10 }), { nil: null })
  const values = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 10 }))
  const texts = ['a', 'b', 'c'].map((key) => define(key, 'text'))

  fc.assert(
    fc.property(values, fc.dictionary(fc.constantFrom('a', 'b', 'c'), value), (before, patch) => {
      const once = mergeValues(texts, before, patch)

      expect(mergeValues(texts, once, patch)).toEqual(once)
      for (const key of ['a', 'b', 'c']) {
        // Empty text clears a value as null does.
        const expected = Object.hasOwn(patch, key) ? patch[key] || undefined : before[key]
        expect(once[key]).toBe(expected)
      }
    }),
  )
})

describe('an unknown key', () => {
  test('is refused with its pointer and the nearest key', () => {
    expect(refusal({ pionts: 1 })).toEqual({
      code: 'unknown_field',
      errors: [{ pointer: '/customFields/pionts', code: 'unknown', detail: 'Unknown field. Did you mean `points`?' }],
    })
  })

  test('with a slash has it escaped in the pointer', () => {
    expect(refusal({ 'a/b~c': 1 })?.errors[0]?.pointer).toBe('/customFields/a~1b~0c')
  })

  test.each(['__proto__', 'constructor', 'toString'])('such as %s is unknown like any other', (key) => {
    expect(refusal(JSON.parse(`{"${key}": {"note": "x"}}`))?.code).toBe('unknown_field')
  })

  test('beside a wrong value is one of two complaints', () => {
    expect(refusal({ nope: 1, points: 'x' })).toMatchObject({
      code: 'validation_failed',
      errors: [{ code: 'unknown' }, { code: 'wrong_type' }],
    })
  })
})

const long = (length: number, text = 'a') => text.repeat(length)

describe('a value that does not fit is refused', () => {
  const none: Values = {}
  test.each<[string, Values, Values, string]>([
    ['a number as text', { note: 1 }, none, 'wrong_type'],
    ['a text of 2,001 characters', { note: long(2_001) }, none, 'too_long'],
    ['a text of 2,001 emoji', { note: long(2_001, '🚀') }, none, 'too_long'],
    ['text as a number', { points: '1' }, none, 'wrong_type'],
    ['a number beyond 2^53', { points: 2 ** 53 + 2 }, none, 'too_large'],
    ['a number beyond -2^53', { points: -(2 ** 53) - 2 }, none, 'too_small'],
    ['infinity', { points: Infinity }, none, 'too_large'],
    ['no number', { points: NaN }, none, 'wrong_type'],
    ['a day that the calendar lacks', { go_live: '2027-02-29' }, none, 'wrong_format'],
    ['a time as a date', { go_live: '2027-02-28T00:00:00Z' }, none, 'wrong_format'],
    ['a number as a date', { go_live: 20_270_228 }, none, 'wrong_format'],
    ['text as a boolean', { billable: 'true' }, none, 'wrong_type'],
    ['an option that is not there', { tier: 'bronze' }, none, 'not_in_list'],
    ['a list where one option is chosen', { tier: ['gold'] }, none, 'not_in_list'],
    ['one option where a list is chosen', { regions: 'north' }, none, 'wrong_type'],
    ['a list with an option that is not there', { regions: ['north', 'east'] }, none, 'not_in_list'],
    ['a list with an option twice', { regions: ['north', 'north'] }, none, 'not_unique'],
    ['a list with null in it', { regions: [null] }, none, 'not_in_list'],
    ['text that is no id', { reviewer: 'ada' }, none, 'wrong_format'],
    ['an address of another kind', { site: 'ftp://example.com/' }, none, 'wrong_format'],
    ['an address that runs code', { site: 'javascript:alert(1)' }, none, 'wrong_format'],
    ['text that is no address', { site: 'example.com' }, none, 'wrong_format'],
    ['an address of 2,049 characters', { site: `https://example.com/${long(2_029)}` }, none, 'too_long'],
    ['an object', { note: { a: 1 } }, none, 'wrong_type'],
  ])('%s', (_name, patch, before, code) => {
    const [key] = Object.keys(patch)

    expect(refusal(patch, before)).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: `/customFields/${key}`, code }],
    })
  })

  test('more than 50 options at once', () => {
    const options = Array.from({ length: 51 }, (_, n) => `o${n}`)
    const many = [define('many', 'multi_select', { options })]

    expect(refusal({ many: options }, null, many)?.errors[0]).toMatchObject({ code: 'too_long' })
    expect(refusal({ many: options.slice(1) }, null, many)).toBeNull()
  })

  test('with the options that there are', () => {
    expect(refusal({ tier: 'bronze' })?.errors[0]?.allowed).toEqual(['gold', 'silver'])
  })

  test('but the longest and the largest are taken', () => {
    const values = { note: long(2_000, '🚀'), points: 2 ** 53, site: `https://example.com/${long(2_028)}`, regions: [] }

    expect(mergeValues(definitions, null, values)).toEqual(values)
  })
})

describe('an option that was taken away', () => {
  const before = { tier: 'bronze', regions: ['east', 'north'] }

  test('stays where it was chosen', () => {
    expect(mergeValues(definitions, before, { tier: 'bronze', regions: ['north', 'east'], points: 1 })).toEqual({
      tier: 'bronze',
      regions: ['north', 'east'],
      points: 1,
    })
  })

  test('cannot be chosen again once it was given up', () => {
    const after = mergeValues(definitions, before, { tier: 'gold', regions: ['south'] })

    expect(refusal({ tier: 'bronze' }, after)?.errors[0]?.code).toBe('not_in_list')
    expect(refusal({ regions: ['east'] }, after)?.errors[0]?.code).toBe('not_in_list')
  })
})

describe('a required field', () => {
  const required = [define('note', 'text', { required: true }), define('points', 'number')]

  test('is needed to create an object, with something in it', () => {
    for (const patch of [undefined, {}, { note: null }, { note: '' }]) {
      expect(refusalOf(() => mergeValues(required, null, patch))).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer: '/customFields/note', code: 'required' }],
      })
    }
  })

  test('cannot be cleared', () => {
    expect(refusal({ note: null }, { note: 'n' }, required)?.errors[0]?.code).toBe('required')
  })

  test('that became so later does not hold up changes of other fields', () => {
    expect(mergeValues(required, {}, { points: 1 })).toEqual({ points: 1 })
    expect(mergeValues(required, {}, undefined)).toEqual({})
  })
})

describe('an archived field', () => {
  const archived = [define('old', 'text', { archived: true, required: true }), define('note', 'text')]

  test('keeps its values, and may be sent back as it was', () => {
    expect(mergeValues(archived, { old: 'x' }, { old: 'x', note: 'n' })).toEqual({ old: 'x', note: 'n' })
  })

  test('takes no new value, is not required and is not suggested', () => {
    expect(refusal({ old: 'y' }, { old: 'x' }, archived)?.errors[0]).toMatchObject({ code: 'read_only' })
    expect(refusal({ old: null }, { old: 'x' }, archived)?.errors[0]).toMatchObject({ code: 'read_only' })
    expect(refusal({ note: 'n' }, null, archived)).toBeNull()
    expect(refusal({ olb: 'y' }, null, archived)?.errors[0]?.detail).not.toContain('`old`')
  })
})

test('members are named where they are new, in lower case, each with its field', () => {
  const patch = { reviewer: ada.toUpperCase(), note: 'n' }

  expect(newMembers(definitions, null, patch)).toEqual([{ field: 'customFields/reviewer', id: ada }])
  expect(newMembers(definitions, { reviewer: ada }, patch)).toEqual([])
  expect(mergeValues(definitions, null, patch)).toEqual({ reviewer: ada, note: 'n' })
})

test('no more than 20 complaints are made at once', () => {
  const patch = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`nope_${n}`, 1]))

  expect(refusal(patch)?.errors).toHaveLength(20)
})
