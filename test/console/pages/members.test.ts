// What is offered to whom on the page of members, and where an accepted invitation leads to.
import { expect, test } from 'vitest'
import { Role } from '#contract/roles.ts'
import { roles, rolesToGive } from '../../../console/app/role-words.ts'
import { joinedWorkspace } from '../../../console/pages/invitation/joined-workspace.ts'
import { memberInput } from '../../../console/pages/members/member-search.ts'
import { canBeInvited, standingOf, whyNotMine } from '../../../console/pages/members/member-state.ts'

const seen = '2026-11-22T10:00:00.000Z'

test('each role has its words, and owners alone give that of an owner', () => {
  expect(roles).toEqual(Role.enum)
  expect(rolesToGive('owner')).toEqual(roles)
  for (const other of ['admin', undefined] as const) expect(rolesToGive(other)).toEqual(['admin', 'member', 'viewer'])
})

test('a member is decided about by admins and owners, an owner by owners, and nobody by themselves', () => {
  const admin = { memberId: 'a', role: 'admin' } as const
  const owner = { memberId: 'o', role: 'owner' } as const

  expect(whyNotMine({ id: 'm', role: 'viewer' }, admin, true)).toBeNull()
  expect(whyNotMine({ id: 'm', role: 'owner' }, owner, true)).toBeNull()
  expect(whyNotMine({ id: 'm', role: 'owner' }, admin, true)).toContain('Only owners can')
  expect(whyNotMine({ id: 'o', role: 'owner' }, owner, true)).toContain('your own role')
  expect(whyNotMine({ id: 'm', role: 'viewer' }, admin, false)).toContain('Only admins and owners')
})

test.each([
  ['invited', null, 'Invited', true],
  ['active', null, 'Never signed in', true],
  ['active', seen, 'Active', false],
  ['suspended', null, 'Suspended', false],
  ['suspended', seen, 'Suspended', false],
] as const)('%s, last seen %s: %s', (status, lastSeenAt, word, isInvited) => {
  expect(standingOf({ status, lastSeenAt }).word).toBe(word)
  expect(canBeInvited({ status, lastSeenAt })).toBe(isInvited)
})

test('a text that is too short for the list is not asked for', () => {
  expect(memberInput({ q: ' a ' })).toEqual({ sort: 'name' })
  const asked = { sort: 'name', q: 'ad', role: ['viewer'], status: ['invited'] }
  expect(memberInput({ q: ' ad ', role: 'viewer', status: 'invited' })).toEqual(asked)
})

test('an accepted invitation leads to the workspace that is new', () => {
  const [one, two] = [{ workspaceId: 'one' }, { workspaceId: 'two' }]

  expect(joinedWorkspace(undefined, { workspaces: [one] })).toBe(one)
  expect(joinedWorkspace({ workspaces: [one] }, { workspaces: [one, two] })).toBe(two)
  expect(joinedWorkspace({ workspaces: [one] }, { workspaces: [one] })).toBeUndefined()
})
