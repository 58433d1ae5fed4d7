// Signing in at a provider of OpenID Connect from npm: sessions.methods, sessions.begin-at-provider and
// sessions.complete-at-provider.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#runtime/new-id.ts'
import { countTry, flowTries } from '../../service/identity/accounts/sign-in-attempts.ts'
import type { OidcConfig } from '../../service/identity/oidc/settings.ts'
import { ada, firstOwner, memberOf, visitorOf, type Person } from '../support/person.ts'
import { startSignInProvider, type SignInProvider } from '../support/servers/sign-in-provider.ts'
import { describeMode, must, startSystem, type Answer, type System } from '../support/system.ts'

const publicUrl = 'http://127.0.0.1:8080'
const redirectUri = `${publicUrl}/settings/sign-in/callback`

describeMode('signing in at a provider', 'standalone', () => {
  let provider: SignInProvider
  let system: System
  let only: System
  let owner: Person & { readonly workspaceId: string }
  beforeAll(async () => {
    provider = await startSignInProvider(redirectUri)
    system = await startSystem('standalone', { publicUrl, oidc: configOf(provider) })
    owner = await firstOwner(system, { workspaceName: 'Acme' })
    only = await startSystem('standalone', { publicUrl, oidc: { ...configOf(provider), isOnly: true } })
    await firstOwner(only, { workspaceName: 'Acme' })
  }, 60_000)
  afterAll(async () => {
    await system?.[Symbol.asyncDispose]()
    await only?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  const begin = async (guest: Person, body: object = {}) => must(await guest.call('POST', '/sessions/provider', body))
  const complete = (guest: Person, flow: string, search: string): Promise<Answer> =>
    guest.call('POST', '/sessions/provider/complete', { flow, search })

  /** Somebody whom the provider knows. */
  function somebody(more: object = {}): { readonly sub: string; readonly email: string } {
    const sub = newId()
    const claims = {
      sub,
      email: `${sub}@example.com`,
      email_verified: true,
      name: 'Grace Hopper',
      groups: ['staff'],
      ...more,
    }
    provider.person(claims)
    return claims
  }

  async function signIn(
    sub: string,
    { guest = visitorOf(system), ...body }: { guest?: Person; fresh?: boolean; invitation?: string } = {},
  ) {
    const { url, flow } = await begin(guest, body)
    const back = await provider.visit(url, sub)
    return { ...(await complete(guest, flow, back.search)), guest, flow, search: back.search }
  }

  /** But for those of sessions, which are written a moment later. */
  const entriesOf = async (action: string) =>
    must(
      await system.operator(
        'GET',
        `/settings/api/workspaces/${owner.workspaceId}/audit-entries?action=${action}&limit=200`,
      ),
    ).data.filter(({ target }: { target: { type: string } | null }) => target?.type !== 'session')
  const resetOf = async (email: string): Promise<string> =>
    must(await system.operator('POST', '/settings/api/accounts/reset-access', { email })).token

  test('whoever is new becomes what the groups say, and is the same one at the next sign-in', async () => {
    const { sub, email } = somebody({ groups: ['staff', 'auditors', 'unknown'] })

    const first = await signIn(sub)
    const second = await signIn(sub)

    expect(first).toMatchObject({
      status: 200,
      body: {
        account: { name: 'Grace Hopper', email },
        workspaces: [{ workspaceId: owner.workspaceId, role: 'member' }],
      },
    })
    expect(second.body.account).toEqual(first.body.account)
    expect(second.body.workspaces).toEqual(first.body.workspaces)
    expect(await second.guest.call('GET', `/workspaces/${owner.workspaceId}/api-keys`)).toMatchObject({ status: 200 })
    const { data } = must(await owner.call('GET', `/workspaces/${owner.workspaceId}/audit-entries`))
    expect(data).toContainEqual(
      expect.objectContaining({
        action: 'sessions.complete-at-provider',
        actor: expect.objectContaining({ type: 'user', id: first.body.workspaces[0].memberId }),
      }),
    )
  })

  test('a workspace that is full takes nobody in by groups, until it has room again', async () => {
    const { sub } = somebody({ groups: ['staff'] })
    const setMembers = (members: number | null) =>
      system.operator('PATCH', `/settings/api/workspaces/${owner.workspaceId}`, { quotas: { members } })
    must(await setMembers(1))

    const whileFull = await signIn(sub)
    must(await setMembers(null))
    const afterwards = await signIn(sub)

    expect(whileFull).toMatchObject({ status: 403, body: { code: 'no_membership' } })
    expect(afterwards).toMatchObject({ status: 200, body: { workspaces: [{ workspaceId: owner.workspaceId }] } })
  })

  test('a role that somebody has is not changed by the groups', async () => {
    const { sub } = somebody()
    const { memberId } = (await signIn(sub)).body.workspaces[0]
    must(await owner.call('PATCH', `/workspaces/${owner.workspaceId}/members/${memberId}`, { role: 'viewer' }))

    expect(await signIn(sub)).toMatchObject({ body: { workspaces: [{ role: 'viewer' }] } })
  })

  test('a member who was added with this e-mail becomes theirs with the role that it has, unless it was suspended', async () => {
    const path = `/workspaces/${owner.workspaceId}/members`
    const add = async (more: object) => {
      const person = somebody({ groups: ['staff'] })
      const { id } = must(
        await owner.call('POST', path, { name: 'Grace', email: person.email, role: 'admin', ...more }),
      )
      return { ...person, memberId: id as string }
    }
    const [added, suspended] = [await add({}), await add({ status: 'active' })]
    must(await owner.call('PATCH', `${path}/${suspended.memberId}`, { status: 'suspended' }))

    expect(await signIn(added.sub)).toMatchObject({
      status: 200,
      body: { workspaces: [{ memberId: added.memberId, role: 'admin' }] },
    })
    expect(await owner.call('GET', `${path}/${added.memberId}`)).toMatchObject({ body: { status: 'active' } })
    expect(await signIn(suspended.sub)).toMatchObject({ status: 403, body: { code: 'no_membership' } })
  })

  test('an account with the verified e-mail is linked, and whoever had its password is kept out', async () => {
    const before = await memberOf(system, owner.workspaceId, 'admin')
    const { sub } = somebody({ email: before.email.toUpperCase(), groups: [] })

    const linked = await signIn(sub)

    expect(linked).toMatchObject({
      status: 200,
      body: { account: { email: before.email }, workspaces: [{ memberId: before.memberId, role: 'admin' }] },
    })
    const [entry] = await entriesOf('sessions.complete-at-provider')
    expect(entry).toMatchObject({
      actor: { type: 'user', id: before.memberId },
      changes: { signInProvider: { from: null, to: provider.issuer }, password: { from: 'set', to: 'none' } },
    })
    expect(await before.call('GET', '/sessions/current')).toMatchObject({ status: 401 })
    expect(await visitorOf(system).signIn(before.email)).toMatchObject({ status: 403 })
    const another = somebody({ email: before.email })
    expect(await signIn(another.sub)).toMatchObject({ status: 409, body: { code: 'duplicate' } })
  })

  test('a new e-mail that waits is the account’s once the provider says that it is verified', async () => {
    const { sub } = somebody({ groups: ['chiefs'] })
    const { guest } = await signIn(sub, { fresh: true })
    const email = `${newId()}@example.com`
    must(await guest.call('PATCH', '/account', { email }))
    const before = await signIn(sub)
    somebody({ sub, email, groups: ['chiefs'] })

    const after = await signIn(sub)

    expect(before.body.account.pendingEmail).toMatchObject({ email })
    expect(after.body.account).toMatchObject({ id: before.body.account.id, email, pendingEmail: null })
    const [entry] = await entriesOf('sessions.complete-at-provider')
    expect(entry).toMatchObject({ changes: { email: { from: before.body.account.email, to: email } } })
  })

  test('a verified e-mail wins over an account that has it without the provider’s word, and both logs tell', async () => {
    const squatter = somebody({ name: 'Mallory' })
    const { body: theirs } = await signIn(squatter.sub)
    const victim = `${newId()}@example.com`
    // As it could be taken before it had to be confirmed.
    await system.db.account.update({ where: { id: theirs.account.id }, data: { email: victim } })
    const { sub } = somebody({ email: victim })

    const real = await signIn(sub)

    expect(real).toMatchObject({ status: 200, body: { account: { email: victim } } })
    expect(real.body.account.id).not.toBe(theirs.account.id)
    expect((await signIn(squatter.sub)).body.account).toMatchObject({ id: theirs.account.id, email: squatter.email })
    const entries = await entriesOf('sessions.complete-at-provider')
    expect(entries).toContainEqual(
      expect.objectContaining({
        actor: expect.objectContaining({ type: 'system', id: 'sign-in-provider' }),
        target: { type: 'account', id: theirs.account.id, name: 'Mallory' },
        changes: { email: { from: victim, to: squatter.email } },
      }),
    )
  })

  test('an address that is taken away, where the provider’s own is another’s by now, leads nowhere', async () => {
    const squatter = somebody()
    const { body: theirs } = await signIn(squatter.sub)
    const victim = `${newId()}@example.com`
    await system.db.account.update({ where: { id: theirs.account.id }, data: { email: victim } })
    const other = await memberOf(system, owner.workspaceId, 'viewer')
    await system.db.account.update({ where: { email: other.email }, data: { email: squatter.email } })
    const { sub } = somebody({ email: victim })

    const real = await signIn(sub)

    expect(real).toMatchObject({ status: 200, body: { account: { email: victim } } })
    expect((await signIn(squatter.sub)).body.account.email).toBe(`${theirs.account.id}@account.invalid`)
  })

  test('after a reset of access whoever was linked at the provider, signed in or waiting for an e-mail is out', async () => {
    const squatter = somebody({ groups: ['chiefs'] })
    const { guest, body: theirs } = await signIn(squatter.sub, { fresh: true })
    must(await guest.call('PATCH', '/account', { email: `${newId()}@example.com` }))
    const victim = `${newId()}@example.com`
    await system.db.account.update({ where: { id: theirs.account.id }, data: { email: victim } })
    const real = visitorOf(system)

    const newPassword = 'compilers like long walks'
    must(await real.call('POST', '/accounts/recover', { token: await resetOf(victim), newPassword }))
    const back = await signIn(squatter.sub)

    const [entry] = await entriesOf('accounts.recover')
    expect(back).toMatchObject({ status: 403, body: { code: 'no_membership' } })
    expect(await guest.call('GET', '/sessions/current')).toMatchObject({ status: 401 })
    expect(must(await real.call('GET', '/sessions/current')).account).toMatchObject({
      id: theirs.account.id,
      pendingEmail: null,
    })
    expect(entry.changes).toMatchObject({
      password: { from: 'none', to: 'changed' },
      sessions: { from: 1, to: 0 },
      signInProviders: { from: 1, to: 0 },
      pendingEmails: { from: 1, to: 0 },
    })
  })

  test('whoever has come in by a reset links the account anew at the provider, of whatever domain it is', async () => {
    const email = `${newId()}@elsewhere.example`
    const path = `/workspaces/${owner.workspaceId}`
    const { id: memberId } = must(await owner.call('POST', `${path}/members`, { name: 'Ada', email, role: 'viewer' }))
    const { token: invitation } = must(await owner.call('POST', `${path}/invitations`, { memberId }))
    const { sub } = somebody({ email, groups: [] })
    const first = await signIn(sub, { invitation })
    const person = visitorOf(system)
    const newPassword = 'compilers like long walks'
    must(await person.call('POST', '/accounts/recover', { token: await resetOf(email), newPassword }))

    const asNobody = await signIn(sub)
    const signedIn = await signIn(sub, { guest: person })

    expect(asNobody).toMatchObject({ status: 403, body: { code: 'email_domain_not_allowed' } })
    expect(signedIn).toMatchObject({ status: 200, body: { account: { id: first.body.account.id } } })
    expect(await signIn(sub)).toMatchObject({ status: 200 })
  })

  test('an invitation lets in who has its e-mail, of whatever domain, and nobody else', async () => {
    const email = `${newId()}@elsewhere.example`
    const path = `/workspaces/${owner.workspaceId}`
    const { id: memberId } = must(await owner.call('POST', `${path}/members`, { name: 'Ada', email, role: 'viewer' }))
    const { token } = must(await owner.call('POST', `${path}/invitations`, { memberId }))
    const [invited, other] = [somebody({ email, groups: [] }), somebody({ email: 'other@elsewhere.example' })]

    const refused = await signIn(other.sub, { invitation: token })
    const accepted = await signIn(invited.sub, { invitation: token })

    expect(refused).toMatchObject({ status: 403, body: { code: 'email_domain_not_allowed' } })
    expect(accepted).toMatchObject({ status: 200, body: { workspaces: [{ memberId, role: 'viewer' }] } })
    expect(await signIn(invited.sub)).toMatchObject({ status: 200 })
    expect(await visitorOf(system).call('POST', '/invitations/get', { token })).toMatchObject({ status: 404 })
  })

  test.each([
    ['an e-mail that is not verified', { email_verified: false }, 'email_not_verified'],
    ['a verification that is a word', { email_verified: 'true' }, 'email_not_verified'],
    ['no e-mail', { email: undefined }, 'email_not_verified'],
    [
      'an e-mail of a domain that is not allowed',
      { email: 'eve@example.com.evil.example' },
      'email_domain_not_allowed',
    ],
    ['no group that makes anybody a member', { groups: ['unknown'] }, 'no_membership'],
    ['no groups at all', { groups: undefined }, 'no_membership'],
  ])('who has %s is refused, and leaves nothing behind', async (_what, claims, code) => {
    const accounts = await system.db.account.count()
    const { sub } = somebody(claims)

    const refused = await signIn(sub)

    expect(refused).toMatchObject({ status: 403, body: { code } })
    expect(refused.guest.cookie()).toBe('')
    expect(await system.db.account.count()).toBe(accounts)
    expect(await system.db.accountIdentity.findFirst({ where: { subject: sub } })).toBeNull()
  })

  test('a member who was suspended is not let in again by the groups', async () => {
    const { sub } = somebody()
    const { memberId } = (await signIn(sub)).body.workspaces[0]
    must(await owner.call('PATCH', `/workspaces/${owner.workspaceId}/members/${memberId}`, { status: 'suspended' }))

    expect(await signIn(sub)).toMatchObject({ status: 403, body: { code: 'no_membership' } })
  })

  test('whoever has signed in before goes to the provider, however many from their address do not come back', async () => {
    const { sub } = somebody()
    const { guest } = await signIn(sub)
    must(await guest.call('DELETE', '/sessions/current'))
    const tries = flowTries('127.0.0.1', null)
    for (let at = 0; at <= 200; at += 1) await countTry(system.db, tries, new Date()).catch(() => {})
    try {
      expect(await visitorOf(system).call('POST', '/sessions/provider', {})).toMatchObject({ status: 429 })
      expect(await signIn(sub, { guest })).toMatchObject({ status: 200 })
    } finally {
      await system.db.signInAttempt.deleteMany()
    }
  })

  test('a way back works once, in ten minutes, and for the browser that has gone', async () => {
    const { sub } = somebody()
    const { guest, flow, search, status } = await signIn(sub)
    const late = await begin(guest)
    const lateBack = await provider.visit(late.url, sub)
    await system.db.signInFlow.updateMany({ data: { expiresAt: new Date() } })

    expect(status).toBe(200)
    for (const [of, query] of [
      [flow, search],
      [late.flow, lateBack.search],
      ['x'.repeat(43), search],
    ] as const)
      expect(await complete(visitorOf(system), of, query)).toMatchObject({
        status: 403,
        body: { code: 'sign_in_expired' },
      })
  })

  test('used twice at the same moment, a way back lets in once', async () => {
    const { sub } = somebody()
    const { url, flow } = await begin(visitorOf(system))
    const { search } = await provider.visit(url, sub)

    const answers = await Promise.all([
      complete(visitorOf(system), flow, search),
      complete(visitorOf(system), flow, search),
    ])

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]))
  })

  test.each([
    ['another state', (query: URLSearchParams) => query.set('state', 'x'.repeat(43))],
    ['no state', (query: URLSearchParams) => query.delete('state')],
    ['another issuer', (query: URLSearchParams) => query.set('iss', 'https://evil.example')],
    ['no issuer', (query: URLSearchParams) => query.delete('iss')],
  ])('what comes back with %s is not believed', async (_what, change) => {
    const { sub } = somebody()
    const { url, flow } = await begin(visitorOf(system))
    const { searchParams } = await provider.visit(url, sub)
    change(searchParams)

    const refused = await complete(visitorOf(system), flow, `?${searchParams.toString()}`)

    expect(refused).toMatchObject({ status: 403, body: { code: 'provider_answer_invalid' } })
  })

  test.each([
    ['another nonce', { nonce: 'x'.repeat(43) }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'somebody-else' }],
    ['a time that is over', { iat: 1_700_000_000, exp: 1_700_000_060 }],
  ])('an ID token with %s is not believed', async (_what, change) => {
    const { sub } = somebody()
    provider.forge((claims) => ({ ...claims, ...change }))
    try {
      expect(await signIn(sub)).toMatchObject({ status: 403, body: { code: 'provider_answer_invalid' } })
    } finally {
      provider.forge(null)
    }
    expect(await signIn(sub)).toMatchObject({ status: 200 })
  })

  test('the e-mail of one document with the verification of the other signs nobody in', async () => {
    const { email } = await memberOf(system, owner.workspaceId, 'owner')
    const own = somebody()
    const accounts = await system.db.account.count()
    const mixtures = [
      { idToken: { email }, userInfo: {} },
      { idToken: { email, email_verified: false }, userInfo: {} },
      { idToken: {}, userInfo: { email, email_verified: undefined } },
      { idToken: { email_verified: true }, userInfo: { email, email_verified: undefined } },
      { idToken: { email_verified: true }, userInfo: { email, email_verified: false } },
    ]
    const got: unknown[] = []
    try {
      for (const { idToken, userInfo } of mixtures) {
        provider.forge((claims) => ({ ...claims, ...idToken }))
        provider.forgeUserInfo((claims) => ({ ...claims, ...userInfo }))
        const { status, body } = await signIn(own.sub)
        got.push(status === 200 ? body.account.email : body.code)
      }
    } finally {
      provider.forge(null)
      provider.forgeUserInfo(null)
    }

    const refused = 'email_not_verified'
    expect(got).toEqual([own.email, refused, refused, refused, refused])
    expect(await system.db.account.count()).toBe(accounts + 1)
  })

  test('userinfo about another subject than the ID token is not believed', async () => {
    const [{ sub }, { sub: another }] = [somebody(), somebody()]
    const answers: unknown[] = []
    try {
      for (const named of [another, undefined]) {
        provider.forgeUserInfo((claims) => ({ ...claims, sub: named }))
        answers.push((await signIn(sub)).body.code)
      }
    } finally {
      provider.forgeUserInfo(null)
    }

    expect(answers).toEqual(['provider_answer_invalid', 'provider_answer_invalid'])
    expect(await system.db.accountIdentity.findFirst({ where: { subject: { in: [sub, another] } } })).toBeNull()
  })

  test('a code of another sign-in is refused by the provider, and so here', async () => {
    const [first, second] = [await begin(visitorOf(system)), await begin(visitorOf(system))]
    const { sub } = somebody()
    const [ofFirst, ofSecond] = [await provider.visit(first.url, sub), await provider.visit(second.url, sub)]
    ofSecond.searchParams.set('code', ofFirst.searchParams.get('code') ?? '')

    expect(await complete(visitorOf(system), second.flow, ofSecond.search)).toMatchObject({
      status: 403,
      body: { code: 'sign_in_expired' },
    })
  })

  test('an error of the provider is told by its code, and no more of it', async () => {
    const { url, flow } = await begin(visitorOf(system))
    const state = new URL(url).searchParams.get('state') ?? ''
    const query = new URLSearchParams({
      error: 'access_denied',
      error_description: '<b>No</b>',
      state,
      iss: provider.issuer,
    })

    const refused = await complete(visitorOf(system), flow, `?${query.toString()}`)

    expect(refused).toMatchObject({ status: 403, body: { code: 'provider_refused', providerError: 'access_denied' } })
    expect(JSON.stringify(refused.body)).not.toContain('<b>')
  })

  test('what is asked of the provider has PKCE, state and nonce, all new each time', async () => {
    const [one, two] = [await begin(visitorOf(system)), await begin(visitorOf(system))]
    const asked = [one, two].map(({ url }) => Object.fromEntries(new URL(url).searchParams))

    expect(asked[0]).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: redirectUri,
      client_id: provider.clientId,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[0]?.[name]).not.toBe(asked[1]?.[name])
    const kept = JSON.stringify(await system.db.signInFlow.findMany(), (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
    for (const secret of [one.flow, asked[0]?.['state'] ?? '']) expect(kept).not.toContain(secret)
  })

  test('asked anew at the provider confirms; a session there that may be older does not', async () => {
    const { sub } = somebody({ groups: ['chiefs'] })
    const { guest, body } = await signIn(sub)
    const path = `/workspaces/${owner.workspaceId}/api-keys`
    const made = () => guest.call('POST', path, { name: 'Mine', preset: 'read-only' })

    const before = await made()
    const confirmed = await signIn(sub, { guest, fresh: true })

    expect(body).toMatchObject({ confirmedUntil: null, workspaces: [{ role: 'admin' }] })
    expect(before).toMatchObject({ status: 403, body: { code: 'confirmation_required' } })
    expect(confirmed.body.confirmedUntil).toEqual(expect.any(String))
    expect(await made()).toMatchObject({ status: 201 })
    expect(must(await guest.call('GET', '/sessions')).data).toHaveLength(1)
  })

  test('a provider that hangs or is away holds up nobody who signs in with a password, and is given up', async () => {
    const unwell = await startSignInProvider(redirectUri)
    await using other = await startSystem('standalone', { publicUrl, oidc: configOf(unwell) })
    await firstOwner(other, { workspaceName: 'Acme' })
    const goOn = unwell.hang()

    const asked = Array.from({ length: 14 }, () => visitorOf(other).call('POST', '/sessions/provider', {}))
    const whileItHangs = await visitorOf(other).signIn()
    const answers = await Promise.all(asked)
    goOn()
    const { flow, url } = await begin(visitorOf(other))
    const { search } = await unwell.visit(url, 'nobody')
    await unwell[Symbol.asyncDispose]()
    const away = await complete(visitorOf(other), flow, search)

    expect([whileItHangs.status, (await visitorOf(other).signIn()).status]).toEqual([201, 201])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    const codes = answers.map(({ body }) => body.code)
    expect(new Set(codes)).toEqual(new Set(['provider_unavailable', 'unavailable']))
    expect(codes.filter((code) => code === 'unavailable').length).toBeGreaterThanOrEqual(4)
    expect(away).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
  }, 30_000)

  test('anybody is told which ways there are', async () => {
    const methodsOf = async (of: System) => must(await visitorOf(of).call('GET', '/sessions/methods'))

    expect(await methodsOf(system)).toMatchObject({ password: true, provider: { name: 'Example ID' } })
    expect(await methodsOf(only)).toMatchObject({ password: false, provider: { name: 'Example ID' } })
  })

  test('where the provider is the only way, no password lets in; the operator and a link of the operator’s do', async () => {
    const { token } = must(await only.operator('POST', '/settings/api/accounts/reset-access', { email: ada.email }))
    const newPassword = 'compilers like long walks'
    const back = visitorOf(only)
    const recovered = await back.call('POST', '/accounts/recover', { token, newPassword })
    const { workspaceId } = recovered.body.workspaces[0]
    const member = must(
      await only.operator('POST', `/settings/api/workspaces/${workspaceId}/members`, {
        name: 'Eve',
        email: 'eve@example.com',
      }),
    )
    const invitation = must(
      await only.operator('POST', `/settings/api/workspaces/${workspaceId}/invitations`, { memberId: member.id }),
    )
    const attempts = [
      await visitorOf(only).signIn(ada.email, newPassword),
      await back.call('POST', '/sessions/current/confirm', { password: newPassword }),
      await visitorOf(only).call('POST', '/invitations/accept', {
        token: invitation.token,
        name: 'Eve',
        email: 'eve@example.com',
        password: newPassword,
      }),
    ]

    expect(recovered).toMatchObject({ status: 200, body: { confirmedUntil: expect.any(String) } })
    for (const answer of attempts) expect(answer).toMatchObject({ status: 403, body: { code: 'password_sign_in_off' } })
    const { sub } = somebody({ email: ada.email })
    const { url, flow } = await begin(visitorOf(only))
    const { search } = await provider.visit(url, sub)
    expect(await complete(visitorOf(only), flow, search)).toMatchObject({
      status: 200,
      body: { account: { email: ada.email }, workspaces: [{ role: 'owner' }] },
    })
  })

  test('before there is an account, the link of the first start makes it, and no provider', async () => {
    await using empty = await startSystem('standalone', { publicUrl, oidc: configOf(provider) })
    await empty.tenant()
    const { sub } = somebody()
    const { url, flow } = await begin(visitorOf(empty))
    const { search } = await provider.visit(url, sub)

    expect(await complete(visitorOf(empty), flow, search)).toMatchObject({
      status: 403,
      body: { code: 'no_membership' },
    })
    expect(await visitorOf(empty).call('GET', '/setup')).toMatchObject({ status: 200 })
  })
})

const configOf = ({ issuer, clientId, clientSecret }: SignInProvider): OidcConfig => ({
  issuer,
  clientId,
  clientSecret,
  redirectUri,
  name: 'Example ID',
  groupsClaim: 'groups',
  isOnly: false,
  allowedDomains: ['example.com'],
  groupRoles: [
    { group: 'auditors', role: 'viewer', workspaceId: null },
    { group: 'staff', role: 'member', workspaceId: null },
    { group: 'chiefs', role: 'admin', workspaceId: null },
  ],
})
