import { expect, test } from 'vitest'
import { contentLocation } from '../../../service/http/answer.ts'

const ids = { asked: '0199f0a0-0000-7000-8000-00000000000a', other: '0199f0a0-0000-7000-8000-00000000000b' }
const one = { method: 'GET', path: '/api/v1/crm-entities/{id}' } as const
const byTheirs = { method: 'GET', path: '/api/v1/crm-entities/by-external-id/{source}/{externalId}' } as const

test('what was asked for has no other address', () => {
  const theirs = { source: 'crm', externalId: '1' }

  expect(contentLocation(one, { id: ids.asked }, { id: ids.asked })).toBeNull()
  expect(contentLocation(one, { id: ids.asked.toUpperCase() }, { id: ids.asked })).toBeNull()
  expect(contentLocation(byTheirs, theirs, { id: ids.asked, externalSource: 'crm', externalId: '1' })).toBeNull()
})

test('what is shown in place of it has its own', () => {
  const shown = { id: ids.other, externalSource: 'erp', externalId: '2' }

  expect(contentLocation(one, { id: ids.asked }, shown)).toBe(`/api/v1/crm-entities/${ids.other}`)
  expect(contentLocation(byTheirs, { source: 'crm', externalId: '1' }, shown)).toBe(`/api/v1/crm-entities/${ids.other}`)
})

test('the workspace in a settings path stays in the address', () => {
  const route = { method: 'GET', path: '/settings/api/workspaces/{workspaceId}/webhooks/{id}' } as const

  expect(contentLocation(route, { workspaceId: 'w', id: ids.asked }, { id: ids.other })).toBe(
    `/settings/api/workspaces/w/webhooks/${ids.other}`,
  )
})

test('only the address of one object, read, is looked at', () => {
  const other = { id: ids.other }

  expect(contentLocation({ ...one, method: 'POST' }, { id: ids.asked }, other)).toBeNull()
  expect(contentLocation({ ...one, path: '/api/v1/webhooks/{id}/stats' }, { id: ids.asked }, other)).toBeNull()
  expect(contentLocation(one, { id: ids.asked }, null)).toBeNull()
})
