import { expect, test } from 'vitest'
import { formatAnswer } from '../../cli/answers.ts'

const page = (more: object = {}) => ({ nextCursor: null, hasMore: false, ...more })

test('a list is a table of what tells its objects apart', () => {
  const data = [
    { id: 'a', object: 'member', workspaceId: 'w', name: 'Ada', role: 'owner', status: 'active', version: 1 },
    { id: 'bcd', object: 'member', workspaceId: 'w', name: 'Grace', role: 'member', status: 'invited', version: 7 },
  ]

  expect(formatAnswer({ data, page: page() }).split('\n')).toEqual([
    'id   name   role    status',
    'a    Ada    owner   active',
    'bcd  Grace  member  invited',
    '',
  ])
})

test('where there is more, the table says how to get it', () => {
  expect(formatAnswer({ data: [{ id: 'a' }], page: page({ nextCursor: 'c1', hasMore: true, total: 3 }) })).toBe(
    'id\na\n3 in all.\nThere are more: --cursor c1\n',
  )
  expect(formatAnswer({ data: [], page: page() })).toBe('None.\n')
  expect(formatAnswer({ data: [], lastSequence: 7, hasMore: false })).toBe(
    'None.\nlastSequence  7\nhasMore       false\n',
  )
})

test('an object is formatAnswer field by field, nothing left out', () => {
  const webhook = {
    ...{ url: null, id: 'w', eventTypes: ['projects.*', 'tasks.*'], headerNames: [] },
    ...{ grants: { scopes: ['projects:read'], grantedBy: { id: 'k' } }, secrets: [{ id: 's', createdAt: 'now' }] },
  }

  expect(formatAnswer(webhook).split('\n')).toEqual([
    'id                   w',
    'url                  -',
    'eventTypes           projects.*, tasks.*',
    'headerNames          none',
    'grants.scopes        projects:read',
    'grants.grantedBy.id  k',
    '',
    'secrets',
    'id  createdAt',
    's   now',
    '',
  ])
  expect(formatAnswer(null)).toBe('Done.\n')
})

test('what others have written neither steers the terminal nor breaks the table', () => {
  const name = 'red\u001B[31m\nnext\u202Eback'

  expect(formatAnswer({ data: [{ id: 'a', name }], page: page() })).toBe('id  name\na   red�[31m�next�back\n')
  expect(formatAnswer({ id: 'a', name })).toBe('id    a\nname  red�[31m�next�back\n')
})

test('a long cell of a table is cut, a field never is', () => {
  const name = 'n'.repeat(80)

  expect(formatAnswer({ data: [{ name }], page: page() })).toBe(`name\n${'n'.repeat(47)}…\n`)
  expect(formatAnswer({ name })).toContain(name)
})
