// At a provider from npm: sessions.methods, sessions.begin-at-provider and sessions.complete-at-provider.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#runtime/new-id.ts'
import { countTry, flowTries } from '../../service/identity/accounts/sign-in-attempts.ts'
import { codeFor, withAuthenticator } from '../support/authenticator.ts'
import { ada, firstOwner, memberOf, visitorOf, type Person } from '../support/person.ts'
import { startSignInProvider, type SignInProvider } from '../support/servers/sign-in-provider.ts'
import { describeMode, must, startSystem, type Answer, type System } from '../support/system.ts'

const publicUrl = 'http://127.0.0.1:8080'
const redirectUri = `${publicUrl}/settings/sign-in/callback`
const newPassword = 'compilers like long walks'
const groupRoles = [
  { group: 'auditors', role: 'viewer', workspaceId: null },
  { group: 'staff', role: 'member', workspaceId: null },
  { group: 'chiefs', role: 'admin', workspaceId: null },
] as const
/** No server is there: emails wait. */
const mail = {
  ...{ host: '127.0.0.1', port: 1, isImplicitTls: false, requiresTls: false, authorities: null, login: null },
  from: { name: 'Workspace', address: 'no-reply@workspace.example' },
  publicUrl,
}
type Forged = { readonly idToken?: object; readonly userInfo?: object }
const refusal = (code: string, status = 403) => ({ status, body: { code } })

describeMode('signing in at a provider', 'standalone', () => {
  let provider: SignInProvider
  let system: System
  let only: System
  let owner: Person & { readonly workspaceId: string }
  beforeAll(async () => {
    provider = await startSignInProvider(redirectUri)
    system = await startSystem('standalone', { publicUrl, mail, oidc: { ...provider.config, groupRoles } })
    owner = await firstOwner(system, { workspaceName: 'Acme' })
    only = await startSystem('standalone', { publicUrl, oidc: { ...provider.config, groupRoles, isOnly: true } })
  }, 120_000)
  afterAll(async () => {
    await system?.[Symbol.asyncDispose]()
    await only?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`
  const begin = async (guest: Person, body: object = {}) => must(await guest.call('POST', '/sessions/provider', body))
  const complete = (guest: Person, flow: string, search: string): Promise<Answer> =>
    guest.call('POST', '/sessions/provider/complete', { flow, search })

  /** Somebody whom the provider knows. */
  function somebody(more: object = {}): { readonly sub: string; readonly email: string } {
    const sub = newId()
    const email = `${sub}@example.com`
    const claims = { sub, email, email_verified: true, name: 'Grace Hopper', groups: ['staff'], ...more }
    provider.person(claims)
    return claims
  }

  type Way = { of?: System; guest?: Person; fresh?: boolean; invitation?: string }
  async function signIn(sub: string, { of = system, guest = visitorOf(of), ...body }: Way = {}) {
    const { url, flow } = await begin(guest, body)
    const { search } = await provider.visit(url, sub)
    return { ...(await complete(guest, flow, search)), guest, flow, search }
  }

  /** What comes back to the browser of somebody new, before it is handed in. */
  async function wayBack() {
    const { url, flow } = await begin(visitorOf(system))
    const { sub } = somebody()
    return { sub, flow, back: await provider.visit(url, sub) }
  }

  /** Of what the provider says, this is said otherwise meanwhile. */
  async function whileForged<T>({ idToken = {}, userInfo = {} }: Forged, work: () => Promise<T>): Promise<T> {
    provider.forge((claims) => ({ ...claims, ...idToken }))
    provider.forgeUserInfo((claims) => ({ ...claims, ...userInfo }))
    try {
      return await work()
    } finally {
      provider.forge(null)
      provider.forgeUserInfo(null)
    }
  }

  /** But for those of sessions, which are written a moment later. */
  async function entriesOf(action: string): Promise<Answer['body'][]> {
    const path = `/settings/api${inOwn('/audit-entries')}?action=${action}&limit=200`
    return must(await system.operator('GET', path)).data.filter(
      ({ target }: Answer['body']) => target?.type !== 'session',
    )
  }
  async function recover(of: System, person: Person, email: string): Promise<Answer> {
    const { token } = must(await of.operator('POST', '/settings/api/accounts/reset-access', { email }))
    return person.call('POST', '/accounts/recover', { token, newPassword })
  }
  /** A member of this email, who is invited as a viewer. */
  async function invite(email: string): Promise<{ memberId: string; invitation: string }> {
    const { id: memberId } = must(await owner.call('POST', inOwn('/members'), { name: 'Ada', email, role: 'viewer' }))
    const { token } = must(await owner.call('POST', inOwn('/invitations'), { memberId }))
    return { memberId, invitation: token }
  }
  /** The account of somebody who has signed in has this email, as it could be taken before it had to be confirmed. */
  const takeEmail = (accountId: string, email: string) =>
    system.db.account.update({ where: { id: accountId }, data: { email } })

  test('whoever is new becomes what the groups say, and is the same one at the next sign-in', async () => {
    const { sub, email } = somebody({ groups: ['staff', 'auditors', 'unknown'] })

    const first = await signIn(sub)
    const second = await signIn(sub)

    const workspaces = [{ workspaceId: owner.workspaceId, role: 'member' }]
    expect(first).toMatchObject({ status: 200, body: { account: { name: 'Grace Hopper', email }, workspaces } })
    expect(second.body).toMatchObject({ account: first.body.account, workspaces: first.body.workspaces })
    expect((await second.guest.call('GET', inOwn('/api-keys'))).status).toBe(200)
    const { memberId: id } = first.body.workspaces[0]
    const actors = (await entriesOf('sessions.complete-at-provider')).map(({ actor }) => actor)
    expect(actors).toContainEqual(expect.objectContaining({ type: 'user', id }))
  })

  test('a workspace that is full takes nobody in by groups, until it has room again', async () => {
    const { sub } = somebody({ groups: ['staff'] })
    const { workspaceId } = owner
    const withRoomFor = async (members: number | null) => {
      must(await system.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, { quotas: { members } }))
      return signIn(sub)
    }

    const [whileFull, afterwards] = [await withRoomFor(1), await withRoomFor(null)]

    expect(whileFull).toMatchObject(refusal('no_membership'))
    expect(afterwards).toMatchObject({ status: 200, body: { workspaces: [{ workspaceId }] } })
  })

  test('groups change no role that somebody has, and do not let in again who was suspended', async () => {
    const { sub } = somebody()
    const member = inOwn(`/members/${(await signIn(sub)).body.workspaces[0].memberId}`)

    must(await owner.call('PATCH', member, { role: 'viewer' }))
    const demoted = await signIn(sub)
    must(await owner.call('PATCH', member, { status: 'suspended' }))
    const suspended = await signIn(sub)

    expect(demoted).toMatchObject({ body: { workspaces: [{ role: 'viewer' }] } })
    expect(suspended).toMatchObject(refusal('no_membership'))
  })

  test('a member who was added with this email becomes theirs with the role that it has, unless it was suspended', async () => {
    const add = async (more: object) => {
      const { sub, email } = somebody()
      const body = { name: 'Grace', email, role: 'admin', ...more }
      return { sub, memberId: must(await owner.call('POST', inOwn('/members'), body)).id as string }
    }
    const [added, suspended] = [await add({}), await add({ status: 'active' })]
    must(await owner.call('PATCH', inOwn(`/members/${suspended.memberId}`), { status: 'suspended' }))

    const workspaces = [{ memberId: added.memberId, role: 'admin' }]
    expect(await signIn(added.sub)).toMatchObject({ status: 200, body: { workspaces } })
    expect(must(await owner.call('GET', inOwn(`/members/${added.memberId}`))).status).toBe('active')
    expect(await signIn(suspended.sub)).toMatchObject(refusal('no_membership'))
  })

  test('an account with the verified email is linked, and whoever had its password is kept out', async () => {
    const before = await memberOf(system, owner.workspaceId, 'admin')
    const { sub } = somebody({ email: before.email.toUpperCase(), groups: [] })

    const linked = await signIn(sub)

    const workspaces = [{ memberId: before.memberId, role: 'admin' }]
    expect(linked).toMatchObject({ status: 200, body: { account: { email: before.email }, workspaces } })
    const [entry] = await entriesOf('sessions.complete-at-provider')
    const changes = { signInProvider: { from: null, to: provider.issuer }, password: { from: 'set', to: 'none' } }
    expect(entry).toMatchObject({ actor: { type: 'user', id: before.memberId }, changes })
    expect((await before.call('GET', '/sessions/current')).status).toBe(401)
    expect((await visitorOf(system).signIn(before.email)).status).toBe(403)
    expect(await signIn(somebody({ email: before.email }).sub)).toMatchObject(refusal('duplicate', 409))
  })

  test('an account that joins the provider loses its second factors and what waits for one, and the audit log says which', async () => {
    const before = await memberOf(system, owner.workspaceId, 'admin')
    const { secret, recoveryCodes } = await withAuthenticator(before)
    const { id: accountId } = await system.db.account.findUniqueOrThrow({ where: { email: before.email } })
    const credential = { credentialId: newId(), publicKey: Buffer.from('none'), counter: 7n, transports: [] }
    const passkey = { id: newId(), accountId, name: 'Laptop', ...credential, createdAt: new Date() }
    await system.db.passkey.create({ data: passkey })
    const browser = visitorOf(system)
    const { signIn: waiting } = must(await browser.signIn(before.email))
    const { sub } = somebody({ email: before.email, groups: [] })

    const joined = await signIn(sub)

    expect(joined).toMatchObject({ status: 200, body: { account: { id: accountId }, signInMethod: 'provider' } })
    const left = must(await joined.guest.call('GET', '/second-factors'))
    expect(left).toMatchObject({ authenticator: null, passkeys: [], recoveryCodes: 0 })
    for (const code of [await codeFor(secret), recoveryCodes[0]])
      expect((await browser.call('POST', '/sessions/second-factor', { signIn: waiting, code })).status).toBe(403)
    const [entry] = await entriesOf('sessions.complete-at-provider')
    expect(entry).toMatchObject({
      actor: { id: before.memberId },
      changes: {
        authenticator: { from: expect.any(String), to: 'none' },
        passkeys: { from: ['Laptop'], to: [] },
        recoveryCodes: { from: 10, to: 0 },
      },
    })
  })

  test('a new email that waits is the account’s once the provider says that it is verified, and the former one is told', async () => {
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
    expect(await system.db.mail.count({ where: { kind: 'email-changed' } })).toBe(1)
  })

  test.each([false, true])(
    'a verified email wins over an account that only says so, its own taken: %s',
    async (isTaken) => {
      const squatter = somebody({ name: 'Mallory' })
      const { id } = (await signIn(squatter.sub)).body.account
      const victim = `${newId()}@example.com`
      await takeEmail(id, victim)
      if (isTaken) {
        const { email } = await memberOf(system, owner.workspaceId, 'viewer')
        await system.db.account.update({ where: { email }, data: { email: squatter.email } })
      }

      const real = await signIn(somebody({ email: victim }).sub)

      // Where its own is another's by now it gets one that leads nowhere.
      const given = isTaken ? `${id}@account.invalid` : squatter.email
      expect(real).toMatchObject({ status: 200, body: { account: { email: victim } } })
      expect(real.body.account.id).not.toBe(id)
      expect((await signIn(squatter.sub)).body.account).toMatchObject({ id, email: given })
      const entries = await entriesOf('sessions.complete-at-provider')
      const entry = entries.find(({ target }) => target?.type === 'account' && target.id === id)
      const changes = { email: { from: victim, to: given } }
      expect(entry).toMatchObject({ actor: { type: 'system', id: 'sign-in-provider' }, changes })
    },
  )

  test('after a reset of access whoever was linked at the provider, signed in or waiting for an email is out', async () => {
    const squatter = somebody({ groups: ['chiefs'] })
    const { guest, body } = await signIn(squatter.sub, { fresh: true })
    const { id } = body.account
    must(await guest.call('PATCH', '/account', { email: `${newId()}@example.com` }))
    const victim = `${newId()}@example.com`
    await takeEmail(id, victim)
    const real = visitorOf(system)

    must(await recover(system, real, victim))
    const back = await signIn(squatter.sub)

    const [entry] = await entriesOf('accounts.recover')
    expect(back).toMatchObject(refusal('no_membership'))
    expect((await guest.call('GET', '/sessions/current')).status).toBe(401)
    expect(must(await real.call('GET', '/sessions/current')).account).toMatchObject({ id, pendingEmail: null })
    const gone = { from: 1, to: 0 }
    const ended = { sessions: gone, signInProviders: gone, pendingEmails: gone }
    expect(entry).toMatchObject({ changes: { password: { from: 'none', to: 'changed' }, ...ended } })
  })

  test('an invitation lets in who has its email, of whatever domain, and nobody else; after a reset whoever is signed in links anew', async () => {
    const email = `${newId()}@elsewhere.example`
    const { memberId, invitation } = await invite(email)
    const [invited, other] = [somebody({ email, groups: [] }), somebody({ email: 'other@elsewhere.example' })]

    const refused = await signIn(other.sub, { invitation })
    const accepted = await signIn(invited.sub, { invitation })

    expect(refused).toMatchObject(refusal('email_domain_not_allowed'))
    expect(accepted).toMatchObject({ status: 200, body: { workspaces: [{ memberId, role: 'viewer' }] } })
    expect((await signIn(invited.sub)).status).toBe(200)
    expect((await visitorOf(system).call('POST', '/invitations/get', { token: invitation })).status).toBe(404)

    const guest = visitorOf(system)
    must(await recover(system, guest, email))
    expect(await signIn(invited.sub)).toMatchObject(refusal('email_domain_not_allowed'))
    const { account } = accepted.body
    expect(await signIn(invited.sub, { guest })).toMatchObject({ status: 200, body: { account: { id: account.id } } })
    expect((await signIn(invited.sub)).status).toBe(200)
  })

  test.each([
    ['an email that is not verified', { email_verified: false }, 'email_not_verified'],
    ['an email of another domain', { email: 'eve@example.com.evil.example' }, 'email_domain_not_allowed'],
    ['no group that makes anybody a member', { groups: ['unknown'] }, 'no_membership'],
  ])('who has %s is refused, and leaves nothing behind', async (_what, claims, code) => {
    const accounts = await system.db.account.count()
    const { sub } = somebody(claims)

    const refused = await signIn(sub)

    expect(refused).toMatchObject(refusal(code))
    expect(refused.guest.cookie()).toBe('')
    expect(await system.db.account.count()).toBe(accounts)
    expect(await system.db.accountIdentity.findFirst({ where: { subject: sub } })).toBeNull()
  })

  test('whoever has signed in before goes to the provider, however many from their address do not come back', async () => {
    const { sub } = somebody()
    const { guest } = await signIn(sub)
    must(await guest.call('DELETE', '/sessions/current'))
    const tries = flowTries('127.0.0.1', null)
    for (let at = 0; at <= 200; at += 1) await countTry(system.db, tries, new Date()).catch(() => {})
    try {
      expect((await visitorOf(system).call('POST', '/sessions/provider', {})).status).toBe(429)
      expect((await signIn(sub, { guest })).status).toBe(200)
    } finally {
      await system.db.signInAttempt.deleteMany()
    }
  })

  test('a way back works once, also at the same moment, in ten minutes, with its own code, for the browser that has gone', async () => {
    const { flow, back } = await wayBack()
    const twice = await Promise.all([1, 2].map(() => complete(visitorOf(system), flow, back.search)))
    const [other, mixed, late] = [await wayBack(), await wayBack(), await wayBack()]
    mixed.back.searchParams.set('code', other.back.searchParams.get('code') ?? '')
    const refused = [await complete(visitorOf(system), mixed.flow, mixed.back.search)]
    await system.db.signInFlow.updateMany({ data: { expiresAt: new Date() } })
    for (const [of, query] of [
      [flow, back.search],
      [late.flow, late.back.search],
      ['x'.repeat(43), back.search],
    ] as const)
      refused.push(await complete(visitorOf(system), of, query))

    expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 403]))
    for (const answer of refused) expect(answer).toMatchObject(refusal('sign_in_expired'))
  })

  test.each<[string, Forged, ((query: URLSearchParams) => void)?]>([
    ['another state', {}, (query) => query.set('state', 'x'.repeat(43))],
    ['no state', {}, (query) => query.delete('state')],
    ['another issuer', {}, (query) => query.set('iss', 'https://evil.example')],
    ['no issuer', {}, (query) => query.delete('iss')],
    ['an ID token with another nonce', { idToken: { nonce: 'x'.repeat(43) } }],
    ['an ID token with another issuer', { idToken: { iss: 'https://evil.example' } }],
    ['an ID token with another audience', { idToken: { aud: 'somebody-else' } }],
    ['an ID token with a time that is over', { idToken: { iat: 1_700_000_000, exp: 1_700_000_060 } }],
    ['userinfo about another subject than the ID token', { userInfo: { sub: 'another' } }],
    ['userinfo about no subject', { userInfo: { sub: undefined } }],
  ])('what comes back with %s is not believed', async (_what, forged, change = () => {}) => {
    const { sub, flow, back } = await wayBack()
    change(back.searchParams)
    const search = `?${back.searchParams.toString()}`

    const refused = await whileForged(forged, () => complete(visitorOf(system), flow, search))

    expect(refused).toMatchObject(refusal('provider_answer_invalid'))
    expect(await system.db.accountIdentity.findFirst({ where: { subject: { in: [sub, 'another'] } } })).toBeNull()
    expect((await signIn(sub)).status).toBe(200)
  })

  test('an error of the provider is told by its code, and no more of it', async () => {
    const { url, flow } = await begin(visitorOf(system))
    const state = new URL(url).searchParams.get('state') ?? ''
    const { issuer: iss } = provider
    const query = new URLSearchParams({ error: 'access_denied', error_description: '<b>No</b>', state, iss })

    const refused = await complete(visitorOf(system), flow, `?${query.toString()}`)

    expect(refused).toMatchObject({ status: 403, body: { code: 'provider_refused', providerError: 'access_denied' } })
    expect(JSON.stringify(refused.body)).not.toContain('<b>')
  })

  test('what is asked of the provider has PKCE, state and nonce, all new each time', async () => {
    const [one, two] = [await begin(visitorOf(system)), await begin(visitorOf(system))]
    const asked = [one, two].map(({ url }) => Object.fromEntries(new URL(url).searchParams))

    const random = expect.stringMatching(/^[\w-]{43}$/)
    const fixed = { response_type: 'code', code_challenge_method: 'S256', redirect_uri: redirectUri }
    expect(asked[0]).toMatchObject({ ...fixed, client_id: provider.clientId, state: random, nonce: random })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[0]?.[name]).not.toBe(asked[1]?.[name])
    const kept = JSON.stringify(await system.db.signInFlow.findMany(), (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
    for (const secret of [one.flow, asked[0]?.['state'] ?? '']) expect(kept).not.toContain(secret)
  })

  test('asked anew at the provider confirms; a session there that may be older does not', async () => {
    const { sub } = somebody({ groups: ['chiefs'] })
    const { guest, body } = await signIn(sub)
    const made = () => guest.call('POST', inOwn('/api-keys'), { name: 'Mine', preset: 'read-only' })

    const before = await made()
    const confirmed = await signIn(sub, { guest, fresh: true })

    expect(body).toMatchObject({ confirmedUntil: null, workspaces: [{ role: 'admin' }] })
    expect(before).toMatchObject(refusal('confirmation_required'))
    expect(confirmed.body.confirmedUntil).toEqual(expect.any(String))
    expect((await made()).status).toBe(201)
    expect(must(await guest.call('GET', '/sessions')).data).toHaveLength(1)
  })

  test('a provider that hangs or is away holds up nobody who signs in with a password, and is given up', async () => {
    const unwell = await startSignInProvider(redirectUri)
    await using other = await startSystem('standalone', { publicUrl, oidc: { ...unwell.config, groupRoles } })
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
    expect(away).toMatchObject(refusal('provider_unavailable', 503))
  }, 30_000)

  test('before there is an account, the link of the first start makes it, and no provider', async () => {
    await only.tenant()

    expect(await signIn(somebody().sub, { of: only })).toMatchObject(refusal('no_membership'))
    expect((await visitorOf(only).call('GET', '/setup')).status).toBe(200)
  })

  test('where the provider is the only way, which anybody is told, no password lets in; the operator and a link of the operator’s do', async () => {
    const { workspaceId } = await firstOwner(only, { workspaceName: 'Acme' })
    const back = visitorOf(only)
    const asOperator = async (path: string, body: object) =>
      must(await only.operator('POST', `/settings/api/workspaces/${workspaceId}${path}`, body))
    const eve = { name: 'Eve', email: 'eve@example.com' }
    const { id: memberId } = await asOperator('/members', eve)
    const { token } = await asOperator('/invitations', { memberId })

    const recovered = await recover(only, back, ada.email)
    const attempts = [
      await visitorOf(only).signIn(ada.email, newPassword),
      await back.call('POST', '/sessions/current/confirm', { password: newPassword }),
      await visitorOf(only).call('POST', '/invitations/accept', { token, ...eve, password: newPassword }),
    ]
    const atProvider = await signIn(somebody({ email: ada.email }).sub, { of: only })

    const methodsOf = async (of: System) => must(await visitorOf(of).call('GET', '/sessions/methods'))
    const named = { name: 'Example ID' }
    expect(await methodsOf(system)).toMatchObject({ password: true, provider: named })
    expect(await methodsOf(only)).toMatchObject({ password: false, provider: named })
    expect(recovered).toMatchObject({ status: 200, body: { confirmedUntil: expect.any(String) } })
    for (const answer of attempts) expect(answer).toMatchObject(refusal('password_sign_in_off'))
    expect(atProvider.body).toMatchObject({ account: { email: ada.email }, workspaces: [{ role: 'owner' }] })
  })
})
