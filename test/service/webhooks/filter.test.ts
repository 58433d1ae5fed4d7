import { expect, test } from 'vitest'
import { eventCatalogue } from '#contract/api.ts'
import { assertFilter } from '../../../service/webhooks/filter.ts'

type Given = Parameters<typeof assertFilter>[0]

const project = '01890000-0000-7000-8000-000000000001'
const fields = (eventTypes: string[], ...changedFields: string[]): Given => ({ eventTypes, filter: { changedFields } })
const kinds = (eventTypes: string[], more = {}): Given => ({ eventTypes, filter: { kinds: ['deal'], ...more } })
const projects = (eventTypes: string[]): Given => ({ eventTypes, filter: { projectIds: [project] } })

const refusalAt = (pointer: string) =>
  expect.objectContaining({
    code: 'validation_failed',
    members: { errors: [expect.objectContaining({ pointer, code: 'not_in_list' })] },
  })

test.each([
  ['no filter', { eventTypes: ['*'], filter: null }],
  ['fields that some update can change', fields(['*'], 'name', 'status', 'assigneeIds', 'customFields', 'domains')],
  ['fields of its types', fields(['tasks.*'], 'title')],
  ['fields of its kind', kinds(['crm-entities.*'], { changedFields: ['stage'] })],
  ...['crm-entities.comment_created', 'crm-entities.merged', '*'].map((type) => [`kinds of ${type}`, kinds([type])]),
  ...['projects.archived', 'tasks.created', 'tasks.comment_created', 'documents.updated', '*'].map((type) => [
    `projects of ${type}`,
    projects([type]),
  ]),
] as [string, Given][])('%s can match', (_what, given) => {
  expect(() => assertFilter(given)).not.toThrow()
})

test.each<[string, Given, string]>([
  ...['staus', 'updatedAt', 'version', 'id', 'deletedAt', 'createdBy'].map((field): [string, Given, string] => [
    field,
    fields(['*'], 'name', field),
    '/filter/changedFields/1',
  ]),
  ['a field that its types lack', fields(['tasks.*'], 'health'), '/filter/changedFields/0'],
  [
    'a field of another kind',
    kinds(['crm-entities.*'], { kinds: ['company'], changedFields: ['stage'] }),
    '/filter/changedFields/0',
  ],
  ['kinds of tasks', kinds(['tasks.*']), '/filter/kinds'],
  ['projects of what belongs to none', projects(['crm-entities.*', 'members.*']), '/filter/projectIds'],
  ['projects of webhooks', projects(['webhooks.failing']), '/filter/projectIds'],
  ['kinds and projects at once', kinds(['*'], { projectIds: [project] }), '/filter/kinds'],
])('%s can never match', (_what, given, pointer) => {
  expect(() => assertFilter(given)).toThrow(refusalAt(pointer))
})

test('a refused field is told with the nearest one; where only the types are given, the refusal points at them', () => {
  expect(() => assertFilter(fields(['*'], 'staus'))).toThrow('Did you mean `status`?')
  expect(() => assertFilter(fields(['members.*'], 'title'), 'eventTypes')).toThrow(refusalAt('/eventTypes'))
})

test('a filter by fields is refused for every type that is no update, and taken for every one that is', () => {
  for (const { type } of eventCatalogue) {
    if (!type.endsWith('.updated'))
      expect(() => assertFilter(fields([type], 'labels')), type).toThrow(refusalAt('/filter/changedFields'))
    expect(() => assertFilter(fields([type, 'tasks.updated'], 'labels')), type).not.toThrow()
  }
})
