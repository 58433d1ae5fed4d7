// Sign-in at a provider: who somebody is by its claims, and what the operator may say of it.
import { expect, test } from 'vitest'
import { codeOf } from '../../support/faults.ts'
import { SettingsError, readSettings } from '#runtime/settings.ts'
import { publicUrl } from '#runtime/shared-settings.ts'
import { personFrom, rolesByGroups } from '../../../service/identity/oidc/rules.ts'
import { oidcContradictions, oidcIn, oidcSettings } from '../../../service/identity/oidc/settings.ts'

type Claims = Readonly<Record<string, unknown>>

const claims = { sub: 's-1', email: 'Ada@Example.com', email_verified: true, name: 'Ada Lovelace', groups: ['staff'] }

const from = (idToken: Claims, userInfo: Claims = {}, groupsClaim = 'groups') =>
  personFrom({ idToken: { sub: 's-1', ...idToken }, userInfo }, groupsClaim)

test('claims become a person, with the email in lower case', () => {
  const person = { subject: 's-1', email: 'ada@example.com', name: 'Ada Lovelace', groups: ['staff'] }
  const authenticatedAt = new Date('2023-11-14T22:13:20.000Z')
  expect(from({ ...claims, auth_time: 1_700_000_000 })).toEqual({ ...person, authenticatedAt })
})

test('a name that is none becomes the start of the email, and one group is as good as a list of one', () => {
  for (const name of [undefined, '', 'two\nlines', 7, 'x'.repeat(201)])
    expect(from({ ...claims, name }).name).toBe('Ada')
  expect(from({ ...claims, roles: 'staff' }, {}, 'roles').groups).toEqual(['staff'])
  expect(from({ ...claims, groups: ['a', 7, null, { b: 1 }] }).groups).toEqual(['a'])
  expect(from({ ...claims, groups: Array.from({ length: 2_000 }, () => 'a') }).groups).toHaveLength(1_000)
})

test('an email counts only with the verification of its own document, whatever the two documents mix', () => {
  const emails = [undefined, null, 'owner@example.com', 'eve@example.com']
  const verifications = [undefined, null, false, true, 'true']
  const documents = emails.flatMap((email) => verifications.map((verified) => ({ email, email_verified: verified })))
  const mixtures = documents.flatMap((idToken) => documents.map((userInfo) => ({ idToken, userInfo })))
  const provenBy = ({ email, email_verified: verified }: (typeof documents)[number]) =>
    verified === true ? email : null
  const emailOf = (idToken: Claims, userInfo: Claims) => {
    let found: string | undefined
    return codeOf(() => ({ email: found } = from(idToken, userInfo))) ?? found
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
  const rolesOf = (groups: string[], only: string | null) =>
    Object.fromEntries(rolesByGroups(groups, { groupRoles }, only))

  expect(rolesOf(['staff', 'chiefs'], 'only')).toEqual({ only: 'admin', other: 'member' })
  expect(rolesOf(['staff', 'chiefs'], null)).toEqual({ other: 'member' })
  expect(rolesOf([], 'only')).toEqual({})
})

const workspaceId = '01999999-0000-7000-8000-000000000000'
const whole = {
  PUBLIC_URL: 'https://console.example.com',
  OIDC_ISSUER: 'https://id.example.com/realms/main',
  OIDC_CLIENT_ID: 'workspace-settings',
  OIDC_CLIENT_SECRET: 'a secret',
}

const read = (env: Record<string, string>) => readSettings({ publicUrl, ...oidcSettings }, env, oidcContradictions)

function mistakesIn(env: Record<string, string>): readonly string[] {
  try {
    read(env)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
}
const starting = (...starts: string[]) => starts.map((start) => expect.stringMatching(`^${start}`) as string)

test('the settings become what the service knows of the provider; without an issuer there is none', () => {
  expect(oidcIn(read({}))).toBeNull()
  const config = oidcIn(
    read({
      ...whole,
      OIDC_NAME: 'Example ID',
      OIDC_ALLOWED_DOMAINS: 'Example.com, example.org',
      OIDC_GROUPS_CLAIM: 'roles',
      OIDC_GROUP_ROLES: `staff=member, cn=chiefs=owner@${workspaceId.toUpperCase()}`,
      OIDC_ONLY: 'true',
    }),
  )

  const client = { issuer: whole.OIDC_ISSUER, clientId: whole.OIDC_CLIENT_ID, clientSecret: 'a secret' }
  const rules = { allowedDomains: ['example.com', 'example.org'], groupsClaim: 'roles', isOnly: true }
  const redirectUri = 'https://console.example.com/settings/sign-in/callback'
  expect(config).toMatchObject({ ...client, ...rules, name: 'Example ID', redirectUri })
  expect(config?.groupRoles).toEqual([
    { group: 'staff', role: 'member', workspaceId: null },
    { group: 'cn=chiefs', role: 'owner', workspaceId },
  ])
})

test('an issuer is an address that only says where it is; over plain http it is on this machine itself', () => {
  const taken = 'https://id.example.com http://localhost:8090 http://127.0.0.1:8090/x http://[::1]:8090'
  const refused = `http://id.example.com http://127.0.0.1.example.com id.example.com ftp://127.0.0.1
    https://id.example.com/?x=1 https://id.example.com/#x https://ada@id.example.com`

  for (const issuer of taken.split(' '))
    expect(oidcIn(read({ ...whole, OIDC_ISSUER: issuer }))).toMatchObject({ issuer })
  for (const issuer of refused.split(/\s+/))
    expect(mistakesIn({ ...whole, OIDC_ISSUER: issuer })).toEqual(starting('OIDC_ISSUER must be'))
})

test('what names no group, no role or no workspace by its id gives no group a role', () => {
  for (const given of ['staff', 'staff=', '=member', 'staff=member@acme', `staff=member@${workspaceId}x`])
    expect(mistakesIn({ ...whole, OIDC_GROUP_ROLES: given })).toEqual(starting('OIDC_GROUP_ROLES must'))
})

test('all mistakes are told at once, and no secret with them', () => {
  const wrong = {
    OIDC_ISSUER: 'http://id.example.com',
    OIDC_CLIENT_SECRET: '',
    OIDC_ALLOWED_DOMAINS: 'example.com,@x',
    OIDC_GROUP_ROLES: 'staff=boss',
    OIDC_ONLY: 'maybe',
  }

  expect(mistakesIn(wrong).map((mistake) => mistake.split(' ')[0])).toEqual(Object.keys(wrong))
})

test('what lacks, or has no issuer to belong to, is told by name', () => {
  const { OIDC_CLIENT_ID: _id, PUBLIC_URL: _url, ...lacking } = whole
  const { OIDC_ISSUER: _issuer, PUBLIC_URL: url, ...others } = whole
  const withoutIssuer = { ...others, OIDC_ALLOWED_DOMAINS: 'example.com', OIDC_GROUP_ROLES: 'a=owner', OIDC_ONLY: '1' }

  expect(mistakesIn(lacking)).toEqual(starting('OIDC_CLIENT_ID is missing', 'PUBLIC_URL is missing'))
  const plain = mistakesIn({ ...whole, PUBLIC_URL: 'http://console.example.com' })
  expect(plain).toEqual(starting('PUBLIC_URL must begin with https'))
  const misplaced = Object.keys(withoutIssuer).map((name) => `${name} is given without OIDC_ISSUER.`)
  expect(mistakesIn({ PUBLIC_URL: url, ...withoutIssuer })).toEqual(misplaced)
})
