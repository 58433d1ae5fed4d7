import { expect, test } from 'vitest'
import { changedLabels, patchBetween } from '../../console/app/edit-conflict.ts'

test('a patch has the fields that differ, compared by what they hold', () => {
  const before = { name: 'One', scopes: ['a', 'b'], expiresAt: null, filter: { kinds: ['deal'] } }

  expect(patchBetween(before, { ...before, scopes: ['a', 'b'], filter: { kinds: ['deal'] } })).toEqual({})
  expect(patchBetween(before, { ...before, scopes: ['a'], expiresAt: '2027-01-01' as never })).toEqual({
    scopes: ['a'],
    expiresAt: '2027-01-01',
  })
})

test('a field that is emptied is in the patch, so that it is cleared', () => {
  expect(patchBetween<{ description: string | null }>({ description: 'Old' }, { description: null })).toEqual({
    description: null,
  })
})

test('changed fields are told by their labels, in the order of the labels, and others are not told', () => {
  const labels = { name: 'Name', url: 'Address' }

  expect(changedLabels(labels, { name: 'a', url: 'b', version: 1 }, { name: 'c', url: 'd', version: 2 })).toEqual([
    'Name',
    'Address',
  ])
  expect(changedLabels(labels, { name: 'a', url: 'b' }, { name: 'a', url: 'b' })).toEqual([])
})
