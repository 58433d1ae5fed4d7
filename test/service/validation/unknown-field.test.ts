import { expect, test } from 'vitest'
import { didYouMean } from '../../../service/validation/unknown-field.ts'

const known = ['status', 'dueDate', 'ownerId', 'q', 'externalSource', 'priority']

test.each([
  ['statuss', 'status'],
  ['due_date', 'dueDate'],
  ['DUEDATE', 'dueDate'],
  ['external_source', 'externalSource'],
  ['owner', 'ownerId'],
  ['sattus', 'status'],
  ['owneId', 'ownerId'],
  ['prio', undefined],
  ['page', undefined],
])('%s: %s', (name, meant) => {
  expect(didYouMean(name, known)).toBe(meant === undefined ? '' : ` Did you mean \`${meant}\`?`)
})

test('nothing is near a name that goes on and on', () => {
  expect(didYouMean('status'.repeat(100_000), known)).toBe('')
})

test('where nothing is known nothing is suggested', () => {
  expect(didYouMean('status', [])).toBe('')
})
