import { expect, test } from 'vitest'
import { locationOf } from '../../../service/http/answer.ts'

const [id, task] = ['0199f0a0-0000-7000-8000-00000000000a', '0199f0a0-0000-7000-8000-00000000000b']

test('what was made is below the address of the call', () => {
  expect(locationOf('/api/v1/projects', '/api/v1/projects', { id })).toBe(`/api/v1/projects/${id}`)
  expect(
    locationOf('/settings/api/workspaces/{workspaceId}/members', '/settings/api/workspaces/w/members', { id }),
  ).toBe(`/settings/api/workspaces/w/members/${id}`)
})

test('what was made by the caller’s own id is addressed by ours', () => {
  expect(
    locationOf('/api/v1/tasks/by-external-id/{source}/{externalId}', '/api/v1/tasks/by-external-id/erp/7', { id }),
  ).toBe(`/api/v1/tasks/${id}`)
})

test('a comment is addressed by the id of what it is on, also where that was named by its identifier', () => {
  const made = { id, subject: { id: task } }

  for (const named of [task, 'WEB-42'])
    expect(locationOf('/api/v1/tasks/{id}/comments', `/api/v1/tasks/${named}/comments?x=1`, made)).toBe(
      `/api/v1/tasks/${task}/comments/${id}`,
    )
})
