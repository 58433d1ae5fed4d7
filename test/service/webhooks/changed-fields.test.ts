import { expect, test } from 'vitest'
import { assertChangeable } from '../../../service/webhooks/changed-fields.ts'

test('a filter by fields takes those that change, of every kind of object, and refuses others by name', () => {
  const known = ['name', 'status', 'assigneeIds', 'customFields', 'stage', 'domains']
  expect(() => assertChangeable({ changedFields: known })).not.toThrow()
  expect(() => assertChangeable({ projectIds: [] })).not.toThrow()
  expect(() => assertChangeable(null)).not.toThrow()

  for (const field of ['staus', 'updatedAt', 'version'])
    expect(() => assertChangeable({ changedFields: ['name', field] })).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        members: { errors: [expect.objectContaining({ pointer: '/filter/changedFields/1', code: 'not_in_list' })] },
      }),
    )
  expect(() => assertChangeable({ changedFields: ['staus'] })).toThrow('Did you mean `status`?')
})
