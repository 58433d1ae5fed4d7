// Custom fields, and their values in an object.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CustomField } from '#contract/custom-fields.ts'
import { type Definition, applyPatch, assertRoom, draft } from '../../../service/custom-fields/rules.ts'
import { type Values, mergeValues, newMembers } from '../../../service/custom-fields/values.ts'
import { errorsOf, faultOf } from '../../support/faults.ts'

const actor = { type: 'system', id: 'operator', name: 'operator' } as const
const now = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-02-03T00:00:00.000Z')
const options = ['gold', 'silver']

const made = (type: CustomField['type'], more: object = {}): CustomField =>
  draft({ key: 'tier', target: 'project', label: 'Tier', type, ...more }, { id: 'f', workspaceId: 'w', actor, now })
const changed = (field: CustomField, patch: object): CustomField => applyPatch(field, patch, { actor, now: later })

test('a new custom field is optional, at version 1 and not archived; only those that are chosen from have options', () => {
  expect(made('text')).toMatchObject({ version: 1, required: false, options: [], archivedAt: null })
  expect(() => made('select')).toThrow(/needs options/)
  expect(() => made('multi_select')).toThrow(/needs options/)
  expect(() => made('text', { options })).toThrow(/has no options/)
  expect(() => changed(made('number'), { options })).toThrow(/has no options/)
})

test('a change raises the version, one that changes nothing is none, and an archived field takes none', () => {
  const field = made('select', { options })

  const level = { label: 'Level', version: 2, updatedAt: later.toISOString() }
  expect(changed(field, { label: 'Level' })).toMatchObject(level)
  expect(changed(field, { label: 'Tier', options: ['gold', 'silver'] })).toBe(field)
  expect(() => changed({ ...field, archivedAt: now.toISOString() }, { label: 'x' })).toThrow(/archived/)
})

test('a target is full at 100 that are in use, or 1,000 in all', () => {
  expect(() => assertRoom({ active: 99, all: 999 })).not.toThrow()
  expect(() => assertRoom({ active: 100, all: 100 })).toThrow(/at most 100/)
  expect(() => assertRoom({ active: 0, all: 1_000 })).toThrow(/at most 1000/)
})

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
  const chosen = { billable: false, tier: 'gold', regions: ['west', 'north'], reviewer: ada }
  const usual = { ...chosen, note: 'n', points: -1.5, go_live: '2028-02-29', site: 'https://example.com/a?b' }
  const most = { note: long(2_000, '🚀'), points: 2 ** 53, site: `https://example.com/${long(2_028)}`, regions: [] }

  for (const values of [usual, most]) expect(merged(values)).toEqual(values)
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

test('an unknown key is refused with its pointer and the nearest key, beside wrong values; 20 complaints are made at most', () => {
  const detail = 'Unknown field. Did you mean `points`?'
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`nope_${n}`, 1]))

  expect(refusal({ pionts: 1 })?.code).toBe('unknown_field')
  expect(firstError({ pionts: 1 })).toEqual({ pointer: '/customFields/pionts', code: 'unknown', detail })
  expect(firstError({ 'a/b~c': 1 })?.pointer).toBe('/customFields/a~1b~0c')
  for (const key of ['__proto__', 'constructor', 'toString'])
    expect(refusal(JSON.parse(`{"${key}": {"note": "x"}}`))?.code).toBe('unknown_field')
  const both = refusal({ nope: 1, points: 'x' })
  expect([both?.code, both?.members.errors?.map(({ code }) => code)]).toEqual([
    'validation_failed',
    ['unknown', 'wrong_type'],
  ])
  expect(refusal(many)?.members.errors).toHaveLength(20)
})

test.each<[string, string, unknown[]]>([
  ['note', 'wrong_type', [1, { a: 1 }]],
  ['note', 'too_long', [long(2_001), long(2_001, '🚀')]],
  ['points', 'wrong_type', ['1', NaN]],
  ['points', 'too_large', [2 ** 53 + 2, Infinity]],
  ['points', 'too_small', [-(2 ** 53) - 2]],
  ['go_live', 'wrong_format', ['2027-02-29', '2027-02-28T00:00:00Z', 20_270_228]],
  ['billable', 'wrong_type', ['true']],
  ['tier', 'not_in_list', ['bronze', ['gold']]],
  ['regions', 'wrong_type', ['north']],
  ['regions', 'not_in_list', [['north', 'east'], [null]]],
  ['regions', 'not_unique', [['north', 'north']]],
  ['reviewer', 'wrong_format', ['ada']],
  ['site', 'wrong_format', ['ftp://example.com/', 'javascript:alert(1)', 'example.com']],
  ['site', 'too_long', [`https://example.com/${long(2_029)}`]],
])('a value for %s that does not fit is refused as %s', (key, code, values) => {
  for (const value of values)
    expect(refusal({ [key]: value })).toMatchObject({
      code: 'validation_failed',
      members: { errors: [{ pointer: `/customFields/${key}`, code }] },
    })
})

test('no more than 50 options are chosen at once, and a refusal names those that there are', () => {
  const options = Array.from({ length: 51 }, (_, n) => `o${n}`)
  const many = [define('many', 'multi_select', { options })]

  expect(firstError({ many: options }, null, many)).toMatchObject({ code: 'too_long' })
  expect(refusal({ many: options.slice(1) }, null, many)).toBeNull()
  expect(firstError({ tier: 'bronze' })?.allowed).toEqual(['gold', 'silver'])
})

test('an option that was taken away stays where it was chosen, and cannot be chosen again once it was given up', () => {
  const before = { tier: 'bronze', regions: ['east', 'north'] }
  const same = { tier: 'bronze', regions: ['north', 'east'], points: 1 }

  expect(merged(same, before)).toEqual(same)
  const after = merged({ tier: 'gold', regions: ['south'] }, before)
  for (const again of [{ tier: 'bronze' }, { regions: ['east'] }])
    expect(firstError(again, after)?.code).toBe('not_in_list')
})

test('a required field is needed to create an object and cannot be cleared; one that became so later holds up no change', () => {
  const required = [define('note', 'text', { required: true }), define('points', 'number')]

  for (const patch of [undefined, {}, { note: null }, { note: '' }])
    expect(refusal(patch, null, required)).toMatchObject({
      code: 'validation_failed',
      members: { errors: [{ pointer: '/customFields/note', code: 'required' }] },
    })
  expect(firstError({ note: null }, { note: 'n' }, required)?.code).toBe('required')
  expect(merged({ points: 1 }, {}, required)).toEqual({ points: 1 })
  expect(merged(undefined, {}, required)).toEqual({})
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
