import { expect, test } from 'vitest'
import { eventCatalogue } from '#contract/api.ts'
import { assertFilter } from '../../../service/webhooks/filter.ts'

const refusalAt = (pointer: string) =>
  expect.objectContaining({
    code: 'validation_failed',
    members: { errors: [expect.objectContaining({ pointer, code: 'not_in_list' })] },
  })

test('a filter by fields takes those that an update of the types can change, and refuses others by name', () => {
  const known = ['name', 'status', 'assigneeIds', 'customFields', 'stage', 'domains']
  expect(() => assertFilter({ eventTypes: ['*'], filter: { changedFields: known } })).not.toThrow()
  expect(() => assertFilter({ eventTypes: ['*'], filter: null })).not.toThrow()
  expect(() => assertFilter({ eventTypes: ['tasks.*'], filter: { changedFields: ['title'] } })).not.toThrow()

  for (const field of ['staus', 'updatedAt', 'version', 'id', 'deletedAt', 'createdBy'])
    expect(() => assertFilter({ eventTypes: ['*'], filter: { changedFields: ['name', field] } })).toThrow(
      refusalAt('/filter/changedFields/1'),
    )
  expect(() => assertFilter({ eventTypes: ['*'], filter: { changedFields: ['staus'] } })).toThrow(
    'Did you mean `status`?',
  )
  expect(() => assertFilter({ eventTypes: ['tasks.*'], filter: { changedFields: ['health'] } })).toThrow(
    refusalAt('/filter/changedFields/0'),
  )
})

test('a field that only another kind of CRM entity has can never match', () => {
  const eventTypes = ['crm-entities.*']
  const filter = { kinds: ['deal' as const], changedFields: ['stage'] }
  expect(() => assertFilter({ eventTypes, filter })).not.toThrow()
  expect(() => assertFilter({ eventTypes, filter: { ...filter, kinds: ['company'] } })).toThrow(
    refusalAt('/filter/changedFields/0'),
  )
})

test('a filter by fields is refused for every type that is no update, and taken for every one that is', () => {
  for (const { type } of eventCatalogue) {
    const take = () => assertFilter({ eventTypes: [type], filter: { changedFields: ['labels'] } })
    const fields = () => assertFilter({ eventTypes: [type, 'tasks.updated'], filter: { changedFields: ['labels'] } })
    if (!type.endsWith('.updated')) expect(take, type).toThrow(refusalAt('/filter/changedFields'))
    expect(fields, type).not.toThrow()
  }
})

test('kinds need types of CRM entities, projects need types that belong to one, and nothing passes both', () => {
  const kinds = { kinds: ['deal' as const] }
  const projects = { projectIds: ['01890000-0000-7000-8000-000000000001'] }
  for (const [eventTypes, pointer, filter] of [
    [['tasks.*'], '/filter/kinds', kinds],
    [['crm-entities.*', 'members.*'], '/filter/projectIds', projects],
    [['*'], '/filter/kinds', { ...kinds, ...projects }],
    [['webhooks.failing'], '/filter/projectIds', projects],
  ] as const)
    expect(() => assertFilter({ eventTypes, filter })).toThrow(refusalAt(pointer))
  for (const type of ['crm-entities.comment_created', 'crm-entities.merged', '*'])
    expect(() => assertFilter({ eventTypes: [type], filter: kinds })).not.toThrow()
  for (const type of ['projects.archived', 'tasks.created', 'tasks.comment_created', 'documents.updated', '*'])
    expect(() => assertFilter({ eventTypes: [type], filter: projects })).not.toThrow()
})

test('where only the types are given, the refusal points at them', () => {
  const before = { eventTypes: ['members.*'], filter: { changedFields: ['title'] } }
  expect(() => assertFilter(before, 'eventTypes')).toThrow(refusalAt('/eventTypes'))
})
