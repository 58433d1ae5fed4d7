import { expect, test } from 'vitest'
import type { Fault } from '#contract/faults/fault.ts'
import { personFrom, rolesByGroups } from '../../../../service/identity/oidc/rules.ts'

type Claims = Readonly<Record<string, unknown>>

const claims = { sub: 's-1', email: 'Ada@Example.com', email_verified: true, name: 'Ada Lovelace', groups: ['staff'] }

const from = (idToken: Claims, userInfo: Claims = {}, groupsClaim = 'groups') =>
  personFrom({ idToken: { sub: 's-1', ...idToken }, userInfo }, groupsClaim)

test('claims become a person, with the e-mail in lower case', () => {
  expect(from({ ...claims, auth_time: 1_700_000_000 })).toEqual({
    subject: 's-1',
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    groups: ['staff'],
    authenticatedAt: new Date('2023-11-14T22:13:20.000Z'),
  })
})

test('a name that is none becomes the start of the e-mail, and one group is as good as a list of one', () => {
  for (const name of [undefined, '', 'two\nlines', 7, 'x'.repeat(201)])
    expect(from({ ...claims, name }).name).toBe('Ada')
  expect(from({ ...claims, roles: 'staff' }, {}, 'roles').groups).toEqual(['staff'])
  expect(from({ ...claims, groups: ['a', 7, null, { b: 1 }] }).groups).toEqual(['a'])
  expect(from({ ...claims, groups: Array.from({ length: 2_000 }, () => 'a') }).groups).toHaveLength(1_000)
})

test('an e-mail counts only with the verification of its own document, whatever the two documents mix', () => {
  const emails = [undefined, null, 'owner@example.com', 'eve@example.com']
  const verifications = [undefined, null, false, true, 'true']
  const documents = emails.flatMap((email) => verifications.map((verified) => ({ email, email_verified: verified })))
  const mixtures = documents.flatMap((idToken) => documents.map((userInfo) => ({ idToken, userInfo })))
  const provenBy = ({ email, email_verified: verified }: (typeof documents)[number]) =>
    verified === true ? email : null
  const emailOf = (idToken: Claims, userInfo: Claims) => {
    try {
      return from(idToken, userInfo).email
    } catch (thrown) {
      return (thrown as Fault).code
    }
  }

  for (const { idToken, userInfo } of mixtures) {
    const isWhole = typeof idToken.email === 'string' && typeof (idToken.email_verified ?? undefined) !== 'undefined'
    const email = provenBy(isWhole ? idToken : userInfo) ?? 'email_not_verified'
    expect({ idToken, userInfo, email: emailOf(idToken, userInfo) }).toEqual({ idToken, userInfo, email })
  }
})

test('name and groups may stand in either document, and the time of the sign-in in the ID token alone', () => {
  const { name, groups, ...proven } = claims

  const person = from(proven, { name, groups, auth_time: 1_700_000_000 })
  expect(person).toMatchObject({ name, groups, authenticatedAt: null })
  expect(from({ ...claims, name: 'Grace' }, claims)).toMatchObject({ name: 'Grace' })
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
