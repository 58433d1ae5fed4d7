import { expect, test } from 'vitest'
import type { CustomField } from '#contract/custom-fields.ts'
import { assertRoom, draft, applyPatch } from '../../../service/custom-fields/rules.ts'

const actor = { type: 'system', id: 'operator', name: 'operator' } as const
const now = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-02-03T00:00:00.000Z')
const origin = { id: 'f', workspaceId: 'w', actor, now }
const base = { key: 'tier', target: 'project', label: 'Tier' } as const
const options = ['gold', 'silver']

const select = (): CustomField => draft({ ...base, type: 'select', options }, origin)

test('a new custom field is optional, at version 1 and not archived', () => {
  expect(draft({ ...base, type: 'text' }, origin)).toMatchObject({
    version: 1,
    required: false,
    options: [],
    archivedAt: null,
  })
})

test('only fields that are chosen from have options, and they need them', () => {
  expect(() => draft({ ...base, type: 'select' }, origin)).toThrow(/needs options/)
  expect(() => draft({ ...base, type: 'multi_select' }, origin)).toThrow(/needs options/)
  expect(() => draft({ ...base, type: 'text', options }, origin)).toThrow(/has no options/)
  expect(() => applyPatch(draft({ ...base, type: 'number' }, origin), { options }, { actor, now: later })).toThrow(
    /has no options/,
  )
})

test('a change raises the version, and one that changes nothing is none', () => {
  const field = select()

  expect(applyPatch(field, { label: 'Level' }, { actor, now: later })).toMatchObject({
    label: 'Level',
    version: 2,
    updatedAt: later.toISOString(),
  })
  expect(applyPatch(field, { label: 'Tier', options: ['gold', 'silver'] }, { actor, now: later })).toBe(field)
})

test('an archived custom field does not change', () => {
  expect(() =>
    applyPatch({ ...select(), archivedAt: now.toISOString() }, { label: 'x' }, { actor, now: later }),
  ).toThrow(/archived/)
})

test('a target is full at 100 that are in use, or 1,000 in all', () => {
  expect(() => assertRoom({ active: 99, all: 999 })).not.toThrow()
  expect(() => assertRoom({ active: 100, all: 100 })).toThrow(/at most 100/)
  expect(() => assertRoom({ active: 0, all: 1_000 })).toThrow(/at most 1000/)
})
