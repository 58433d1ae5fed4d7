import { expect, test } from 'vitest'
import { SettingsError, readSettings } from '#runtime/settings.ts'
import { publicUrl } from '#runtime/shared-settings.ts'
import { oidcContradictions, oidcIn, oidcSettings } from '../../../../service/identity/oidc/settings.ts'

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

test('without an issuer there is no provider', () => {
  expect(oidcIn(read({}))).toBeNull()
})

test('the settings become what the service knows of the provider', () => {
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

  expect(config).toEqual({
    issuer: whole.OIDC_ISSUER,
    clientId: whole.OIDC_CLIENT_ID,
    clientSecret: 'a secret',
    name: 'Example ID',
    allowedDomains: ['example.com', 'example.org'],
    groupsClaim: 'roles',
    isOnly: true,
    groupRoles: [
      { group: 'staff', role: 'member', workspaceId: null },
      { group: 'cn=chiefs', role: 'owner', workspaceId },
    ],
    redirectUri: 'https://console.example.com/settings/sign-in/callback',
  })
})

const issuers = {
  taken: ['https://id.example.com', 'http://localhost:8090', 'http://127.0.0.1:8090/x', 'http://[::1]:8090'],
  refused: [
    ...['http://id.example.com', 'http://127.0.0.1.example.com', 'id.example.com', 'ftp://127.0.0.1'],
    ...['https://id.example.com/?x=1', 'https://id.example.com/#x', 'https://ada@id.example.com'],
  ],
}

test('an issuer is an address that only says where it is; over plain http it is on this machine itself', () => {
  for (const issuer of issuers.taken) expect(oidcIn(read({ ...whole, OIDC_ISSUER: issuer }))).toMatchObject({ issuer })
  for (const issuer of issuers.refused)
    expect(mistakesIn({ ...whole, OIDC_ISSUER: issuer })).toEqual([expect.stringMatching(/^OIDC_ISSUER must be/)])
})

test.each(['staff', 'staff=', '=member', 'staff=member@acme', `staff=member@${workspaceId}x`])(
  '%s gives no group a role',
  (given) => {
    expect(mistakesIn({ ...whole, OIDC_GROUP_ROLES: given })).toEqual([expect.stringMatching(/^OIDC_GROUP_ROLES must/)])
  },
)

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

  expect(mistakesIn(lacking)).toEqual([
    expect.stringMatching(/^OIDC_CLIENT_ID is missing/),
    expect.stringMatching(/^PUBLIC_URL is missing/),
  ])
  expect(mistakesIn({ ...whole, PUBLIC_URL: 'http://console.example.com' })).toEqual([
    expect.stringMatching(/^PUBLIC_URL must begin with https/),
  ])
  expect(mistakesIn({ PUBLIC_URL: url, ...withoutIssuer })).toEqual(
    Object.keys(withoutIssuer).map((name) => `${name} is given without OIDC_ISSUER.`),
  )
})
