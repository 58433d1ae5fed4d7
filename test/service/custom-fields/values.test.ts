import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Definition } from '../../../service/custom-fields/rules.ts'
import { mergeValues, newMembers, type Values } from '../../../service/custom-fields/values.ts'
import { errorsOf, faultOf } from '../../support/faults.ts'

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

const merged = (patch: Values | undefined, before: Values | null = null, defined = definitions) =>
  mergeValues(defined, before, patch)
const refusal = (...given: Parameters<typeof merged>) => faultOf(() => merged(...given))
const firstError = (...given: Parameters<typeof merged>) => errorsOf(() => merged(...given))?.[0]
const long = (length: number, text = 'a') => text.repeat(length)

test('a value of every type is taken as it is, the longest and the largest too', () => {
  for (const values of [
    {
      note: 'n',
      points: -1.5,
      go_live: '2028-02-29',
      billable: false,
      tier: 'gold',
      regions: ['west', 'north'],
      reviewer: ada,
      site: 'https://example.com/a?b',
    },
    { note: long(2_000, '🚀'), points: 2 ** 53, site: `https://example.com/${long(2_028)}`, regions: [] },
  ])
    expect(merged(values)).toEqual(values)
})

test('a patch sets what it names, clears what it nulls and leaves the rest', () => {
  const before = { note: 'n', points: 1, tier: 'gold' }

  expect(merged({ points: 2, tier: null, billable: true }, before)).toEqual({ note: 'n', points: 2, billable: true })
  expect(merged({ note: '', tier: '', site: '' }, before)).toEqual({ points: 1 })
  expect(merged(undefined, before)).toEqual(before)
  expect(before).toEqual({ note: 'n', points: 1, tier: 'gold' })
})

test('merging is RFC 7396: applying a patch twice is applying it once, and what it does not name stays', () => {
  const keys = ['a', 'b', 'c']
  const text = fc.string({ maxLength: 10 })
  const texts = keys.map((key) => define(key, 'text'))
  const values = fc.dictionary(fc.constantFrom(...keys), text)
  const patches = fc.dictionary(fc.constantFrom(...keys), fc.option(text, { nil: null }))

  fc.assert(
    fc.property(values, patches, (before, patch) => {
      const once = merged(patch, before, texts)

      expect(merged(patch, once, texts)).toEqual(once)
      for (const key of keys) {
        // Empty text clears a value as null does.
        const expected = Object.hasOwn(patch, key) ? patch[key] || undefined : before[key]
        expect(once[key]).toBe(expected)
      }
    }),
  )
})

describe('an unknown key', () => {
  test('is refused with its pointer and the nearest key', () => {
    const detail = 'Unknown field. Did you mean `points`?'

    expect(refusal({ pionts: 1 })).toMatchObject({
      code: 'unknown_field',
      members: { errors: [{ pointer: '/customFields/pionts', code: 'unknown', detail }] },
    })
    expect(firstError({ 'a/b~c': 1 })?.pointer).toBe('/customFields/a~1b~0c')
  })

  test.each(['__proto__', 'constructor', 'toString'])('such as %s is unknown like any other', (key) => {
    expect(refusal(JSON.parse(`{"${key}": {"note": "x"}}`))?.code).toBe('unknown_field')
  })

  test('beside a wrong value is one of two complaints, of which no more than 20 are made at once', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`nope_${n}`, 1]))

    expect(refusal({ nope: 1, points: 'x' })).toMatchObject({
      code: 'validation_failed',
      members: { errors: [{ code: 'unknown' }, { code: 'wrong_type' }] },
    })
    expect(refusal(many)?.members.errors).toHaveLength(20)
  })
})

describe('a value that does not fit is refused', () => {
  test.each<[string, Values, string]>([
    ['a number as text', { note: 1 }, 'wrong_type'],
    ['a text of 2,001 characters', { note: long(2_001) }, 'too_long'],
    ['a text of 2,001 emoji', { note: long(2_001, '🚀') }, 'too_long'],
    ['text as a number', { points: '1' }, 'wrong_type'],
    ['a number beyond 2^53', { points: 2 ** 53 + 2 }, 'too_large'],
    ['a number beyond -2^53', { points: -(2 ** 53) - 2 }, 'too_small'],
    ['infinity', { points: Infinity }, 'too_large'],
    ['no number', { points: NaN }, 'wrong_type'],
    ['a day that the calendar lacks', { go_live: '2027-02-29' }, 'wrong_format'],
    ['a time as a date', { go_live: '2027-02-28T00:00:00Z' }, 'wrong_format'],
    ['a number as a date', { go_live: 20_270_228 }, 'wrong_format'],
    ['text as a boolean', { billable: 'true' }, 'wrong_type'],
    ['an option that is not there', { tier: 'bronze' }, 'not_in_list'],
    ['a list where one option is chosen', { tier: ['gold'] }, 'not_in_list'],
    ['one option where a list is chosen', { regions: 'north' }, 'wrong_type'],
    ['a list with an option that is not there', { regions: ['north', 'east'] }, 'not_in_list'],
    ['a list with an option twice', { regions: ['north', 'north'] }, 'not_unique'],
    ['a list with null in it', { regions: [null] }, 'not_in_list'],
    ['text that is no id', { reviewer: 'ada' }, 'wrong_format'],
    ['an address of another kind', { site: 'ftp://example.com/' }, 'wrong_format'],
    ['an address that runs code', { site: 'javascript:alert(1)' }, 'wrong_format'],
    ['text that is no address', { site: 'example.com' }, 'wrong_format'],
    ['an address of 2,049 characters', { site: `https://example.com/${long(2_029)}` }, 'too_long'],
    ['an object', { note: { a: 1 } }, 'wrong_type'],
  ])('%s', (_name, patch, code) => {
    const [key] = Object.keys(patch)

    expect(refusal(patch)).toMatchObject({
      code: 'validation_failed',
      members: { errors: [{ pointer: `/customFields/${key}`, code }] },
    })
  })

  test('more than 50 options at once', () => {
    const options = Array.from({ length: 51 }, (_, n) => `o${n}`)
    const many = [define('many', 'multi_select', { options })]

    expect(firstError({ many: options }, null, many)).toMatchObject({ code: 'too_long' })
    expect(refusal({ many: options.slice(1) }, null, many)).toBeNull()
  })

  test('with the options that there are', () => {
    expect(firstError({ tier: 'bronze' })?.allowed).toEqual(['gold', 'silver'])
  })
})

test('an option that was taken away stays where it was chosen, and cannot be chosen again once it was given up', () => {
  const before = { tier: 'bronze', regions: ['east', 'north'] }
  const same = { tier: 'bronze', regions: ['north', 'east'], points: 1 }

  expect(merged(same, before)).toEqual(same)
  const after = merged({ tier: 'gold', regions: ['south'] }, before)
  for (const again of [{ tier: 'bronze' }, { regions: ['east'] }])
    expect(firstError(again, after)?.code).toBe('not_in_list')
})

describe('a required field', () => {
  const required = [define('note', 'text', { required: true }), define('points', 'number')]

  test('is needed to create an object, with something in it, and cannot be cleared', () => {
    for (const patch of [undefined, {}, { note: null }, { note: '' }])
      expect(refusal(patch, null, required)).toMatchObject({
        code: 'validation_failed',
        members: { errors: [{ pointer: '/customFields/note', code: 'required' }] },
      })
    expect(firstError({ note: null }, { note: 'n' }, required)?.code).toBe('required')
  })

  test('that became so later does not hold up changes of other fields', () => {
    expect(merged({ points: 1 }, {}, required)).toEqual({ points: 1 })
    expect(merged(undefined, {}, required)).toEqual({})
  })
})

test('an archived field keeps its values, takes no new one, is not required and is not suggested', () => {
  const archived = [define('old', 'text', { archived: true, required: true }), define('note', 'text')]

  expect(merged({ old: 'x', note: 'n' }, { old: 'x' }, archived)).toEqual({ old: 'x', note: 'n' })
  for (const old of ['y', null]) expect(firstError({ old }, { old: 'x' }, archived)?.code).toBe('read_only')
  expect(refusal({ note: 'n' }, null, archived)).toBeNull()
  expect(firstError({ olb: 'y' }, null, archived)?.detail).not.toContain('`old`')
})

test('members are named where they are new, in lower case, each with its field', () => {
  const patch = { reviewer: ada.toUpperCase(), note: 'n' }

  expect(newMembers(definitions, null, patch)).toEqual([{ field: 'customFields/reviewer', id: ada }])
  expect(newMembers(definitions, { reviewer: ada }, patch)).toEqual([])
  expect(merged(patch)).toEqual({ reviewer: ada, note: 'n' })
})
