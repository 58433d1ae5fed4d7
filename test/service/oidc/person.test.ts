import { expect, test } from 'vitest'
import { personFrom, rolesByGroups } from '../../../service/oidc/person.ts'

const claims = { sub: 's-1', email: 'Ada@Example.com', email_verified: true, name: 'Ada Lovelace', groups: ['staff'] }

test('claims become a person, with the e-mail in lower case', () => {
  expect(personFrom({ ...claims, auth_time: 1_700_000_000 }, 'groups')).toEqual({
    ...{ subject: 's-1', email: 'ada@example.com', name: 'Ada Lovelace', groups: ['staff'] },
    authenticatedAt: new Date('2023-11-14T22:13:20.000Z'),
  })
})

test('a name that is none becomes the start of the e-mail, and one group is as good as a list of one', () => {
  for (const name of [undefined, '', 'two\nlines', 7, 'x'.repeat(201)])
    expect(personFrom({ ...claims, name }, 'groups').name).toBe('Ada')
  expect(personFrom({ ...claims, roles: 'staff' }, 'roles').groups).toEqual(['staff'])
  expect(personFrom({ ...claims, groups: ['a', 7, null, { b: 1 }] }, 'groups').groups).toEqual(['a'])
  expect(personFrom({ ...claims, groups: Array.from({ length: 2_000 }, () => 'a') }, 'groups').groups).toHaveLength(
    1_000,
  )
})

test('the strongest role of somebody’s groups counts, in each workspace by itself', () => {
  const groupRoles = [
    { group: 'chiefs', role: 'admin', workspaceId: null },
    { group: 'staff', role: 'viewer', workspaceId: null },
    { group: 'staff', role: 'member', workspaceId: 'other' },
    { group: 'strangers', role: 'owner', workspaceId: 'other' },
  ] as const
  const rolesOf = (groups: string[], only: string | null) => [...rolesByGroups(groups, { groupRoles }, only)]

  expect(rolesOf(['staff', 'chiefs'], 'only')).toEqual([
    ['only', 'admin'],
    ['other', 'member'],
  ])
  expect(rolesOf(['staff', 'chiefs'], null)).toEqual([['other', 'member']])
  expect(rolesOf([], 'only')).toEqual([])
})
