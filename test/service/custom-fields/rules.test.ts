import { expect, test } from 'vitest'
import type { CustomField } from '#contract/custom-fields.ts'
import { assertRoom, draft, applyPatch } from '../../../service/custom-fields/rules.ts'

const actor = { type: 'system', id: 'operator', name: 'operator' } as const
const now = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-02-03T00:00:00.000Z')
const options = ['gold', 'silver']

const made = (type: CustomField['type'], more: object = {}): CustomField =>
  draft({ key: 'tier', target: 'project', label: 'Tier', type, ...more }, { id: 'f', workspaceId: 'w', actor, now })
const changed = (field: CustomField, patch: object): CustomField => applyPatch(field, patch, { actor, now: later })

test('a new custom field is optional, at version 1 and not archived', () => {
  expect(made('text')).toMatchObject({ version: 1, required: false, options: [], archivedAt: null })
})

test('only fields that are chosen from have options, and they need them', () => {
  expect(() => made('select')).toThrow(/needs options/)
  expect(() => made('multi_select')).toThrow(/needs options/)
  expect(() => made('text', { options })).toThrow(/has no options/)
  expect(() => changed(made('number'), { options })).toThrow(/has no options/)
})

test('a change raises the version, one that changes nothing is none, and an archived field takes none', () => {
  const field = made('select', { options })

  expect(changed(field, { label: 'Level' })).toMatchObject({
    label: 'Level',
    version: 2,
    updatedAt: later.toISOString(),
  })
  expect(changed(field, { label: 'Tier', options: ['gold', 'silver'] })).toBe(field)
  expect(() => changed({ ...field, archivedAt: now.toISOString() }, { label: 'x' })).toThrow(/archived/)
})

test('a target is full at 100 that are in use, or 1,000 in all', () => {
  expect(() => assertRoom({ active: 99, all: 999 })).not.toThrow()
  expect(() => assertRoom({ active: 100, all: 100 })).toThrow(/at most 100/)
  expect(() => assertRoom({ active: 0, all: 1_000 })).toThrow(/at most 1000/)
})
