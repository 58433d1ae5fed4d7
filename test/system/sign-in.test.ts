// Signing in to the workspace settings, through the real gateway: from the link of the first start to the end of a
// session. The calls are setup.get, setup.complete, sessions.create, sessions.current, sessions.end, sessions.confirm,
// sessions.list, sessions.revoke, account.update and account.change-password.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMember, updateMemberRow } from '../../service/members/rows.ts'
import { ada, calledAs, firstOwner, memberOf, samePage, setupToken, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type System, type Tenant } from '../support/system.ts'

type Owner = Person & { readonly workspaceId: string }

const missingId = '01999999-0000-7000-8000-000000000000'
const grace = { name: 'Grace Hopper', email: 'grace@example.com', password: 'compilers like long walks' }

describeMode('signing in', 'standalone', () => {
  let system: System
  let owner: Owner
  let other: Tenant
  let secrets: string[]
  beforeAll(async () => {
    system = await startSystem('standalone')
    owner = await firstOwner(system, { workspaceName: 'Acme' })
    other = await system.tenant()
    secrets = [ada.password, owner.cookie().split('=')[1] ?? '']
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`

  test('the first account is signed in, owns its workspace and makes keys there', async () => {
    const { body: session } = await owner.call('GET', '/sessions/current')
    const created = await owner.call('POST', inOwn('/api-keys'), { name: 'Mine', preset: 'read-only' })
    const listed = await owner.call('GET', inOwn('/api-keys'))
    const audit = await owner.call('GET', inOwn('/audit-entries?action=api-keys.create'))

    expect(session).toMatchObject({
      account: { name: ada.name, email: ada.email },
      workspaces: [{ workspaceId: owner.workspaceId, name: 'Acme', role: 'owner' }],
    })
    expect(created).toMatchObject({ status: 201, body: { createdBy: { type: 'user', name: ada.name } } })
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toContain(created.body.id)
    expect(audit.body.data).toMatchObject([{ actor: { type: 'user', name: ada.name }, surface: 'console' }])
  })

  test('setup is over with the first account, whoever asks and with whatever link', async () => {
    const asked = await visitorOf(system).call('GET', '/setup')
    const again = await visitorOf(system).call('POST', '/setup', { token: 'x'.repeat(22), ...grace })

    expect(asked).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(again).toMatchObject({ status: 404, body: { code: 'not_found' } })
    await expect(setupToken(system)).rejects.toThrow('There is an account already')
  })

  test('where there is no provider, a password is the only way', async () => {
    const guest = visitorOf(system)

    const methods = await guest.call('GET', '/sessions/methods')
    const begun = await guest.call('POST', '/sessions/provider', {})
    const completed = await guest.call('POST', '/sessions/provider/complete', {
      flow: 'x'.repeat(43),
      search: '?code=x',
    })

    expect(methods).toMatchObject({ status: 200, body: { password: true, provider: null } })
    for (const answer of [begun, completed]) expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('a right password signs in, with a cookie that no script can read', async () => {
    const person = visitorOf(system)

    const answer = await person.signIn('ADA@example.com')

    expect(answer.status).toBe(201)
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^workspace-session-\d+=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
    )
    expect(answer.headers.get('x-internal-session')).toBeNull()
    expect(JSON.stringify(answer.body)).not.toContain(person.cookie().split('=')[1])
  })

  test('over https the cookie is bound to this host alone, and one without the prefix is none', async () => {
    await using behindProxy = await startSystem('standalone', { trustedProxies: ['127.0.0.0/8'] })
    const https = { ...samePage, 'x-forwarded-proto': 'https' }
    const person = visitorOf(calledAs(behindProxy, 'console.example.com'), https)

    const answer = await person.call('POST', '/setup', { token: await setupToken(behindProxy), ...ada })
    const bare = { cookie: person.cookie().replace('__Host-', '') }

    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-session=[\w-]{43}; Path=\/; .*; Secure$/)
    expect(await person.call('GET', '/sessions/current')).toMatchObject({ status: 200 })
    expect(await person.call('GET', '/sessions/current', undefined, bare)).toMatchObject({ status: 401 })
  })

  test('over plain http nobody signs in, except on this machine itself', async () => {
    const elsewhere = visitorOf(calledAs(system, 'console.example.com'))

    const answer = await elsewhere.signIn()

    expect(answer).toMatchObject({ status: 403, body: { code: 'https_required' } })
    expect(elsewhere.cookie()).toBe('')
  })

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another origin, as an older browser says it', { origin: 'http://127.0.0.1:1' }],
    ['a program that says nothing', {}],
  ])('a change that %s asks for is refused, with the cookie of a session and without', async (_who, headers) => {
    const body = { name: 'Theirs', preset: 'read-only' }
    const asked = { cookie: owner.cookie(), ...headers }

    const changed = await system.call('POST', `/settings/api${inOwn('/api-keys')}`, body, asked)
    const signedIn = await system.call('POST', '/settings/api/sessions', ada, headers)

    expect(changed).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } })
    expect(signedIn).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } })
  })

  test('an older browser says by Origin alone that the page is ours', async () => {
    const answer = await visitorOf(system, { origin: system.url }).signIn()

    expect(answer.status).toBe(201)
  })

  test('the API and MCP take no cookie', async () => {
    const cookie = { cookie: owner.cookie(), ...samePage }

    const api = await system.call('GET', '/api/v1/projects', undefined, cookie)
    const mcp = await system.call('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, cookie)

    expect([api.status, mcp.status]).toEqual([401, 401])
  })

  test('a session gets nothing of a workspace where it has no member, as of one that does not exist', async () => {
    for (const id of [other.workspaceId, missingId]) {
      const answers = [
        await owner.call('GET', `/workspaces/${id}`),
        await owner.call('PATCH', `/workspaces/${id}`, { name: 'Mine' }),
        await owner.call('GET', `/workspaces/${id}/api-keys`),
        await owner.call('POST', `/workspaces/${id}/api-keys`, { name: 'Mine', preset: 'read-only' }),
      ]
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 403, body: { code: 'workspace_not_allowed' } })
    }
    const ofOperator = [
      await owner.call('GET', '/workspaces'),
      await owner.call('POST', '/workspaces', { name: 'New' }),
      await owner.call('GET', `/refusals/${missingId}`),
    ]
    for (const answer of ofOperator) expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })

  test('what the operator alone sets of a workspace, its owner cannot', async () => {
    const policy = await owner.call('PATCH', inOwn(''), {
      apiPolicy: { requireExpiry: false },
      timeZone: 'Europe/Berlin',
    })
    const plan = await owner.call('PATCH', inOwn(''), { rateLimit: { perMinute: 60_000, burst: 10_000 } })
    const suspension = await owner.call('PATCH', inOwn(''), { suspended: false })
    const reaching = await owner.call('POST', inOwn('/api-keys'), {
      name: 'Far',
      preset: 'read-only',
      workspaceIds: [other.workspaceId],
    })

    expect(policy).toMatchObject({ status: 200, body: { timeZone: 'Europe/Berlin' } })
    for (const answer of [plan, suspension, reaching])
      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })

  test('a key that reaches into other workspaces gets no new secret or scopes from a member', async () => {
    must(
      await system.operator('PATCH', `/settings/api/workspaces/${other.workspaceId}`, {
        apiPolicy: { allowUnboundKeys: true },
      }),
    )
    const path = `/settings/api${inOwn('/api-keys')}`
    const { id } = must(
      await system.operator('POST', path, { name: 'Far', preset: 'read-only', workspaceIds: [other.workspaceId] }),
    )

    const rotated = await owner.call('POST', inOwn(`/api-keys/${id}/rotate`), {})
    const updated = await owner.call('PATCH', inOwn(`/api-keys/${id}`), { ipAllowlist: [] })

    for (const answer of [rotated, updated])
      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })

  test('a session that was ended is refused at once, and its cookie is taken away', async () => {
    const person = visitorOf(system)
    await person.signIn()
    const cookie = person.cookie()

    const ended = await person.call('DELETE', '/sessions/current')
    const after = await system.call('GET', `/settings/api/sessions/current`, undefined, { cookie })

    expect(ended.status).toBe(204)
    expect(person.cookie()).toBe('')
    expect(after).toMatchObject({ status: 401, body: { code: 'not_signed_in' } })
  })

  test('a session ends after twelve hours without a call, and after two weeks in any case', async () => {
    const ago = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)
    const ages = [
      { lastUsedAt: ago(11.9), createdAt: ago(300), status: 200 },
      { lastUsedAt: ago(12.1), createdAt: ago(300), status: 401 },
      { lastUsedAt: ago(0), createdAt: ago(14 * 24 + 0.1), status: 401 },
    ]
    for (const { status, ...times } of ages) {
      const person = visitorOf(system)
      const { id } = must(await person.signIn())
      await system.db.session.update({ where: { id }, data: times })

      expect(await person.call('GET', '/sessions/current')).toMatchObject({ status })
    }
  })

  test('a call keeps a session open, and says so at most once a minute', async () => {
    const person = visitorOf(system)
    const { id } = must(await person.signIn())
    const lastUsed = async () => (await system.db.session.findUniqueOrThrow({ where: { id } })).lastUsedAt.getTime()
    const hourAgo = Date.now() - 3_600_000
    await system.db.session.update({ where: { id }, data: { lastUsedAt: new Date(hourAgo) } })

    await person.call('GET', '/sessions/current')
    const first = await lastUsed()
    await person.call('GET', '/sessions/current')

    expect(first).toBeGreaterThan(hourAgo)
    expect(await lastUsed()).toBe(first)
  })

  test('a member is seen where they call, at most once a minute, without a new version or an event', async () => {
    const { memberId, ...person } = await memberOf(system, owner.workspaceId, 'viewer')
    const where = { workspaceId_id: { workspaceId: owner.workspaceId, id: memberId } }
    const member = () => system.db.member.findUniqueOrThrow({ where })
    const events = () => system.db.event.count()
    const [before, eventsBefore] = [await member(), await events()]
    await person.call('GET', '/sessions/current')
    expect((await member()).lastSeenAt).toBeNull()

    const first = await person.call('GET', inOwn(`/members/${memberId}`))
    const { lastSeenAt } = await member()
    await person.call('GET', inOwn('/members'))
    expect([before.lastSeenAt, (await member()).lastSeenAt]).toEqual([null, lastSeenAt])
    expect(first.body.lastSeenAt).toBe(lastSeenAt?.toISOString())

    const hourAgo = new Date(Date.now() - 3_600_000)
    await system.db.member.update({ where, data: { lastSeenAt: hourAgo } })
    const later = await person.call('GET', inOwn(`/members/${memberId}`))
    expect(Date.parse(later.body.lastSeenAt)).toBeGreaterThan(hourAgo.getTime())
    expect(later.headers.get('etag')).not.toBe(first.headers.get('etag'))
    expect(await member()).toMatchObject({ version: before.version, updatedAt: before.updatedAt })
    expect(await events()).toBe(eventsBefore)
  })

  test('a change of a member, read before they were seen, leaves when that was', async () => {
    const { memberId, ...person } = await memberOf(system, owner.workspaceId, 'viewer')
    const read = await findMember(system.db, owner.workspaceId, memberId)
    await person.call('GET', inOwn('/members'))

    await updateMemberRow(system.db, { ...read, name: 'Grace Brewster' })

    const { name, lastSeenAt } = await findMember(system.db, owner.workspaceId, memberId)
    expect({ name, wasSeen: lastSeenAt !== null }).toEqual({ name: 'Grace Brewster', wasSeen: true })
  })

  test('a member who was suspended or removed is refused at once', async () => {
    const { memberId, ...person } = await memberOf(system, owner.workspaceId, 'admin')
    const before = await person.call('GET', inOwn('/api-keys'))
    must(await system.operator('PATCH', `/settings/api${inOwn(`/members/${memberId}`)}`, { status: 'suspended' }))

    expect(before.status).toBe(200)
    expect(await person.call('GET', inOwn('/api-keys'))).toMatchObject({
      status: 403,
      body: { code: 'workspace_not_allowed' },
    })
  })

  test('a viewer reads, and is refused by the service what the role does not hold', async () => {
    const viewer = await memberOf(system, owner.workspaceId, 'viewer')

    const read = await viewer.call('GET', inOwn('/api-keys'))
    const written = await viewer.call('POST', inOwn('/api-keys'), { name: 'Mine', preset: 'read-only' })

    expect(read.status).toBe(200)
    expect(written).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', requiredRoles: ['owner', 'admin'] },
    })
  })

  test('what makes a secret, or decides who may what, needs the password again after ten minutes', async () => {
    const person = visitorOf(system)
    const { id } = must(await person.signIn())
    const elevenMinutesAgo = new Date(Date.now() - 11 * 60_000)
    await system.db.session.update({ where: { id }, data: { confirmedAt: elevenMinutesAgo } })
    const attempts = () => [
      person.call('POST', inOwn('/api-keys'), { name: 'Mine', preset: 'read-only' }),
      person.call('PATCH', inOwn(''), { apiPolicy: { requireExpiry: false } }),
      person.call('POST', inOwn('/members'), { name: 'Eve', email: 'eve@example.com', role: 'admin' }),
    ]

    const before = await Promise.all(attempts())
    const free = await person.call('PATCH', inOwn(''), { timeZone: 'UTC' })
    const preview = await person.call('PATCH', inOwn(''), { apiPolicy: { requireExpiry: true }, dryRun: true })
    const wrong = await person.call('POST', '/sessions/current/confirm', { password: 'not this one' })
    const confirmed = await person.call('POST', '/sessions/current/confirm', { password: ada.password })
    const after = await Promise.all(attempts())

    for (const answer of before) expect(answer).toMatchObject({ status: 403, body: { code: 'confirmation_required' } })
    expect([free.status, preview.status]).toEqual([200, 200])
    expect(wrong).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    expect(confirmed).toMatchObject({ status: 200, body: { confirmedUntil: expect.any(String) } })
    expect(after.map(({ status }) => status)).toEqual([201, 200, 201])
  })

  test('one sees one’s sessions, and ends another', async () => {
    const [here, there] = [visitorOf(system), visitorOf(system)]
    const { id } = must(await here.signIn())
    const { id: thereId } = must(await there.signIn())

    const { data } = must(await here.call('GET', '/sessions'))
    const ended = await here.call('DELETE', `/sessions/${thereId}`)
    const again = await here.call('DELETE', `/sessions/${thereId}`)

    const known = data.filter((each: { id: string }) => [id, thereId].includes(each.id))
    expect(known.map(({ current }: { current: boolean }) => current)).toEqual([false, true])
    expect([ended.status, again.status]).toEqual([204, 404])
    expect(await there.call('GET', '/sessions/current')).toMatchObject({ status: 401 })
    expect(await here.call('GET', '/sessions/current')).toMatchObject({ status: 200 })
  })

  test('nobody ends the session of somebody else', async () => {
    const viewer = await memberOf(system, owner.workspaceId, 'viewer')
    const { body: mine } = await owner.call('GET', '/sessions/current')

    expect(await viewer.call('DELETE', `/sessions/${mine.id}`)).toMatchObject({ status: 404 })
    expect(await owner.call('GET', '/sessions/current')).toMatchObject({ status: 200 })
  })

  test('a new password ends all other sessions of the account, and the old one signs in no more', async () => {
    const here = await memberOf(system, owner.workspaceId, 'viewer')
    const there = visitorOf(system)
    must(await there.signIn(here.email))
    const change = (currentPassword: string, newPassword: string) =>
      here.call('POST', '/account/password', { currentPassword, newPassword })

    const guessed = await change(ada.password, 'password1234')
    const wrong = await change('not this one', grace.password)
    const changed = await change(ada.password, grace.password)

    expect(guessed).toMatchObject({ status: 422, body: { errors: [{ pointer: '/newPassword' }] } })
    expect([wrong.status, changed.status]).toEqual([403, 204])
    expect(await here.call('GET', '/sessions/current')).toMatchObject({ status: 200 })
    expect(await there.call('GET', '/sessions/current')).toMatchObject({ status: 401 })
    expect(await there.signIn(here.email)).toMatchObject({ status: 403 })
    expect(await there.signIn(here.email, grace.password)).toMatchObject({ status: 201 })
  })

  test('an account has a name and an e-mail of its own, which no other account has', async () => {
    const person = await memberOf(system, owner.workspaceId, 'viewer')

    const renamed = await person.call('PATCH', '/account', { name: 'Grace Murray' })
    const taken = await person.call('PATCH', '/account', { email: ada.email.toUpperCase() })

    expect(renamed).toMatchObject({ status: 200, body: { name: 'Grace Murray', email: person.email } })
    expect(taken).toMatchObject({ status: 409, body: { code: 'duplicate', field: 'email' } })
    expect(taken.body.existingId).toBeUndefined()
  })

  test('wrong passwords are limited for an account and an address, and a wrong e-mail is answered alike', async () => {
    const guesser = visitorOf(system)
    const guesses = []
    for (let at = 0; at < 11; at++) guesses.push(await guesser.signIn('bob@example.com', `wrong password ${at}`))
    const unknown = await guesser.signIn('nobody@example.com', 'wrong password')

    expect(guesses.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 403), 429])
    expect(guesses.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(unknown.body).toMatchObject({ code: 'wrong_password', detail: guesses[0]?.body.detail })
    expect(await visitorOf(system).signIn()).toMatchObject({ status: 201 })
  })

  test('many guesses at the same moment pass no more often than one after the other', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_none, at) => visitorOf(system).signIn('carol@example.com', `wrong password ${at}`)),
    )

    expect(guesses.filter(({ status }) => status === 403).length).toBe(10)
  })

  test('what is kept of passwords and sessions tells neither', async () => {
    const kept = JSON.stringify([
      await system.db.account.findMany(),
      await system.db.session.findMany(),
      await system.db.signInAttempt.findMany(),
    ])

    for (const secret of secrets) expect(kept).not.toContain(secret)
    expect(kept).not.toContain('bob@example.com')
    expect(kept).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  })
})
