// Signing in to the workspace settings, through the real gateway: from the link of the first start to the end of a
// session. And wrong passwords of others keep nobody out: not in the browser that they always use, not in the session
// that they have, and not behind the address of an office. The calls are setup.get, setup.complete, sessions.create,
// sessions.current, sessions.end, sessions.confirm, sessions.list, sessions.revoke, account.update and
// account.change-password.
import { missingId } from '../support/client.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countTry, passwordTries } from '../../service/identity/accounts/sign-in-attempts.ts'
import { findMember, updateMemberRow } from '../../service/members/rows.ts'
import { ada, calledAs, firstOwner, memberOf, samePage, setupToken, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'

type Owner = Person & { readonly workspaceId: string }

const refusal = (code: string, status = 403) => ({ status, body: { code } })
const grace = { name: 'Grace Hopper', email: 'grace@example.com', password: 'compilers like long walks' }

/** Wrong passwords, one after the other. */
const tenAndNoMore = [...Array.from({ length: 10 }, () => 403), 429]

describeMode('signing in', 'standalone', () => {
  let system: System
  let owner: Owner
  let other: Tenant
  let secrets: string[]
  beforeAll(async () => {
    system = await startSystem('standalone', { trustedProxies: ['127.0.0.0/8'] })
    owner = await firstOwner(system, { workspaceName: 'Acme' })
    other = await system.tenant()
    secrets = [ada.password, owner.cookie().split('=')[1] ?? '']
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`
  const viewer = () => memberOf(system, owner.workspaceId, 'viewer')

  test('setup is over with the first account, whatever the link, and where there is no provider a password is the only way', async () => {
    const guest = visitorOf(system)
    const absent = [
      await guest.call('GET', '/setup'),
      await guest.call('POST', '/setup', { token: 'x'.repeat(22), ...grace }),
      await guest.call('POST', '/sessions/provider', {}),
      await guest.call('POST', '/sessions/provider/complete', { flow: 'x'.repeat(43), search: '?code=x' }),
    ]

    for (const answer of absent) expect(answer).toMatchObject(refusal('not_found', 404))
    await expect(setupToken(system)).rejects.toThrow('There is an account already')
    expect(must(await guest.call('GET', '/sessions/methods'))).toMatchObject({ password: true, provider: null })
  })

  test('a right password signs in, and the session is told by the cookie alone, over https as well', async () => {
    const here = visitorOf(system)
    const https = { ...samePage, 'x-forwarded-proto': 'https' }
    const behindProxy = visitorOf(calledAs(system, 'console.example.com'), https)

    const answers = [await here.signIn('ADA@example.com'), await behindProxy.signIn()]

    expect(answers[1]?.headers.getSetCookie()[0]).toMatch(/^__Host-session=[\w-]{43};.* HttpOnly;.* Secure$/)
    expect(answers[0]?.headers.get('x-internal-session')).toBeNull()
    expect(JSON.stringify(answers[0]?.body)).not.toContain(here.cookie().split('=')[1])
    for (const each of [here, behindProxy]) expect((await each.call('GET', '/sessions/current')).status).toBe(200)
  })

  test('a change that another site asks for is refused, with a cookie and without; the API and MCP take no cookie', async () => {
    const fromElsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const { call } = system
    const cookie = { cookie: owner.cookie() }
    const made = { name: 'Theirs', preset: 'read-only' }
    const refused = [
      await call('POST', `/settings/api${inOwn('/api-keys')}`, made, { ...cookie, ...fromElsewhere }),
      await call('POST', '/settings/api/sessions', ada, fromElsewhere),
    ]
    const older = await visitorOf(system, { origin: system.url }).signIn()
    const api = await call('GET', '/api/v1/projects', undefined, { ...cookie, ...samePage })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const mcp = await call('POST', '/api/mcp', list, { ...cookie, ...samePage })

    for (const answer of refused) expect(answer).toMatchObject(refusal('origin_not_allowed'))
    expect([older, api, mcp].map(({ status }) => status)).toEqual([201, 401, 401])
  })

  test('a session gets nothing of a workspace where it has no member, as of one that does not exist', async () => {
    for (const id of [other.workspaceId, missingId])
      for (const [method, path, body] of [
        ['PATCH', '', { name: 'Mine' }],
        ['GET', '/api-keys'],
      ] as const) {
        const answer = await owner.call(method, `/workspaces/${id}${path}`, body)
        expect(answer).toMatchObject(refusal('workspace_not_allowed'))
      }
  })

  test('what the operator alone sets or makes, an owner cannot; a key that reaches elsewhere gets no new secret', async () => {
    const asOperator = async (method: string, path: string, body: object) =>
      must(await system.operator(method, `/settings/api${path}`, body))
    await asOperator('PATCH', `/workspaces/${other.workspaceId}`, { apiPolicy: { allowUnboundKeys: true } })
    const far = { name: 'Far', preset: 'read-only', workspaceIds: [other.workspaceId] }
    const { id } = await asOperator('POST', inOwn('/api-keys'), far)
    const own = { apiPolicy: { requireExpiry: false }, timeZone: 'Europe/Berlin' }

    const policy = await owner.call('PATCH', inOwn(''), own)

    expect(policy).toMatchObject({ status: 200, body: { timeZone: 'Europe/Berlin' } })
    for (const [method, path, body] of [
      ['PATCH', inOwn(''), { rateLimit: { perMinute: 60_000, burst: 10_000 } }],
      ['PATCH', inOwn(''), { suspended: false }],
      ['POST', inOwn('/api-keys'), far],
      ['POST', inOwn(`/api-keys/${id}/rotate`), {}],
      ['PATCH', inOwn(`/api-keys/${id}`), { ipAllowlist: [] }],
    ] as const)
      expect(await owner.call(method, path, body), `${method} ${path}`).toMatchObject(refusal('insufficient_scope'))
  })

  test.each([
    { idle: 11.9, age: 300, status: 200 },
    { idle: 12.1, age: 300, status: 401 },
    { idle: 0, age: 14 * 24 + 0.1, status: 401 },
  ])('after $idle hours without a call, $age in all, a session gets $status', async ({ idle, age, status }) => {
    const person = visitorOf(system)
    const { id } = must(await person.signIn())
    const ago = (hours: number): Date => new Date(Date.now() - hours * 3_600_000)
    await system.db.session.update({ where: { id }, data: { lastUsedAt: ago(idle), createdAt: ago(age) } })

    expect(await person.call('GET', '/sessions/current')).toMatchObject({ status })
  })

  test('a call keeps a session open, and says so at most once a minute', async () => {
    const person = visitorOf(system)
    const { id } = must(await person.signIn())
    const hourAgo = new Date(Date.now() - 3_600_000)
    await system.db.session.update({ where: { id }, data: { lastUsedAt: hourAgo } })
    const afterCall = async () => {
      await person.call('GET', '/sessions/current')
      return (await system.db.session.findUniqueOrThrow({ where: { id } })).lastUsedAt
    }

    const [first, second] = [await afterCall(), await afterCall()]

    expect(first.getTime()).toBeGreaterThan(hourAgo.getTime())
    expect(second).toEqual(first)
  })

  test('a member is seen where they call, at most once a minute, without a new version or an event, and whatever is changed meanwhile', async () => {
    const { memberId, ...person } = await viewer()
    const where = { workspaceId_id: { workspaceId: owner.workspaceId, id: memberId } }
    const member = () => system.db.member.findUniqueOrThrow({ where })
    const events = () => system.db.event.count()
    const [before, eventsBefore] = [await member(), await events()]
    const read = await findMember(system.db, owner.workspaceId, memberId)
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
    await updateMemberRow(system.db, { ...read, name: 'Grace Brewster' })
    expect(await member()).toMatchObject({ name: 'Grace Brewster', lastSeenAt: new Date(later.body.lastSeenAt) })
  })

  test('ten minutes after the password was given it is asked for again, and not for a preview', async () => {
    const person = visitorOf(system)
    const { id } = must(await person.signIn())
    const elevenMinutesAgo = new Date(Date.now() - 11 * 60_000)
    await system.db.session.update({ where: { id }, data: { confirmedAt: elevenMinutesAgo } })
    const change = (body: object) => person.call('PATCH', inOwn(''), body)
    const confirm = (password: string) => person.call('POST', '/sessions/current/confirm', { password })

    const before = await change({ apiPolicy: { requireExpiry: false } })
    const preview = await change({ apiPolicy: { requireExpiry: true }, dryRun: true })
    const wrong = await confirm('not this one')
    const confirmed = await confirm(ada.password)

    expect(before).toMatchObject(refusal('confirmation_required'))
    expect(preview.status).toBe(200)
    expect(wrong).toMatchObject(refusal('wrong_password'))
    expect(confirmed).toMatchObject({ status: 200, body: { confirmedUntil: expect.any(String) } })
    expect((await change({ apiPolicy: { requireExpiry: false } })).status).toBe(200)
  })

  test('a new password ends all other sessions, which another account cannot; the old one signs in no more; an email is used once', async () => {
    const here = await viewer()
    const there = visitorOf(system)
    const { id } = must(await there.signIn(here.email))
    const byAnother = await owner.call('DELETE', `/sessions/${id}`)
    const { data } = must(await here.call('GET', '/sessions'))
    const change = (currentPassword: string, newPassword: string) =>
      here.call('POST', '/account/password', { currentPassword, newPassword })

    const guessed = await change(ada.password, 'password1234')
    const wrong = await change('not this one', grace.password)
    const changed = await change(ada.password, grace.password)
    const taken = await here.call('PATCH', '/account', { email: ada.email.toUpperCase() })

    expect(taken).toMatchObject({ status: 409, body: { code: 'duplicate', field: 'email' } })
    expect(taken.body.existingId).toBeUndefined()
    expect(guessed).toMatchObject({ status: 422, body: { errors: [{ pointer: '/newPassword' }] } })
    expect(byAnother).toMatchObject(refusal('not_found', 404))
    expect(data.map(({ current }: { current: boolean }) => current)).toEqual([false, true])
    expect([wrong.status, changed.status]).toEqual([403, 204])
    expect((await here.call('GET', '/sessions/current')).status).toBe(200)
    expect((await there.call('GET', '/sessions/current')).status).toBe(401)
    expect((await there.signIn(here.email)).status).toBe(403)
    expect((await there.signIn(here.email, grace.password)).status).toBe(201)
  })

  test('wrong passwords are limited for an account and an address, also at once, and a wrong email is answered alike', async () => {
    const guess = (name: string, at: number) => visitorOf(system).signIn(`${name}@example.com`, `wrong password ${at}`)
    const guesses = []
    for (let at = 0; at < 11; at++) guesses.push(await guess('bob', at))
    const atOnce = await Promise.all(Array.from({ length: 20 }, (_none, at) => guess('carol', at)))
    const unknown = await guess('nobody', 0)

    expect(guesses.map(({ status }) => status)).toEqual(tenAndNoMore)
    expect(guesses.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(atOnce.filter(({ status }) => status === 403)).toHaveLength(10)
    expect(unknown.body).toMatchObject({ code: 'wrong_password', detail: guesses[0]?.body.detail })
    expect((await visitorOf(system).signIn()).status).toBe(201)
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

  describe('while others try', () => {
    beforeEach(async () => {
      await system.db.signInAttempt.deleteMany()
    })

    const browserAt = (address: string): Person => visitorOf(system, { ...samePage, 'x-forwarded-for': address })
    /** As many wrong tries as there may be, from many addresses. */
    async function attack(email: string): Promise<void> {
      for (let at = 0; at < 110; at += 1)
        await countTry(system.db, passwordTries(email, `198.51.100.${at % 11}`), new Date()).catch(() => {})
    }
    const resetOf = async ({ email }: { email: string }): Promise<string> =>
      must(await system.operator('POST', '/settings/api/accounts/reset-access', { email })).token
    const outOf = (person: Person) => person.call('DELETE', '/sessions/current')
    const confirm = (by: Person, password = ada.password) => by.call('POST', '/sessions/current/confirm', { password })

    test('from many addresses: a known browser signs in, whoever is signed in confirms, and only others wait', async () => {
      const [known, live] = [browserAt('192.0.2.1'), browserAt('192.0.2.2')]
      must(await known.signIn())
      must(await live.signIn())
      must(await outOf(known))
      expect(known.cookie()).toBe('')
      await attack(ada.email)

      const elsewhere = await browserAt('192.0.2.1').signIn()
      const wrong = await browserAt('192.0.2.3').signIn(ada.email, 'not the password')

      expect([elsewhere.status, wrong.status]).toEqual([429, 429])
      expect((await known.signIn()).status).toBe(201)
      expect((await confirm(live)).status).toBe(200)
    })

    test('at the address of an office: a known browser signs in, and a right link works, whatever a colleague tries', async () => {
      const office = '203.0.113.9'
      const person = await viewer()
      const known = browserAt(office)
      must(await known.signIn(person.email))
      must(await outOf(known))
      for (let at = 0; at < 61; at += 1)
        await countTry(system.db, passwordTries(`${at}@example.com`, office), new Date()).catch(() => {})
      const recover = (token: string) =>
        browserAt(office).call('POST', '/accounts/recover', { token, newPassword: grace.password })
      const guesses = []
      for (let at = 0; at < 21; at += 1) guesses.push(await recover(`${at}`.padEnd(43, 'x')))
      const token = await resetOf(person)

      expect(guesses.at(-1)?.status).toBe(429)
      expect((await browserAt(office).signIn(person.email)).status).toBe(429)
      expect((await known.signIn(person.email)).status).toBe(201)
      expect((await recover(token)).status).toBe(200)
    })

    test.each<[string, (person: Person, password?: string) => Promise<Answer>]>([
      ['a known browser has ten tries to sign in', (person, password) => person.signIn(ada.email, password)],
      ['a session has ten tries to confirm', confirm],
    ])('%s, which cost no other one and no sign-in any', async (_what, attempt) => {
      const [one, two] = [browserAt('192.0.2.1'), browserAt('192.0.2.1')]
      for (const each of [one, two]) must(await each.signIn())
      if (attempt !== confirm) for (const each of [one, two]) must(await outOf(each))
      const guesses = []
      for (let at = 0; at < 11; at += 1) guesses.push((await attempt(one, `not the password ${at}`)).status)

      expect(guesses).toEqual(tenAndNoMore)
      expect((await attempt(one)).status).toBe(429)
      expect((await attempt(two)).status).toBeLessThan(300)
      expect((await browserAt('192.0.2.4').signIn()).status).toBe(201)
    })

    test('no browser is known by a wrong password, or by one that was replaced', async () => {
      const person = await viewer()
      const [guesser, here, there] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(browserAt) as [Person, Person, Person]
      await guesser.signIn(person.email, 'not the password')
      for (const each of [here, there]) must(await each.signIn(person.email))
      must(await here.call('POST', '/account/password', { currentPassword: ada.password, newPassword: grace.password }))
      must(await outOf(here))
      await attack(person.email)

      expect(guesser.browser()).toBe('')
      expect((await there.signIn(person.email, grace.password)).status).toBe(429)
      expect((await here.signIn(person.email, grace.password)).status).toBe(201)
    })

    test('each way to sign in makes the browser known, and no script reads how', async () => {
      const person = await viewer()
      const browser = browserAt('192.0.2.1')
      const token = await resetOf(person)
      const answer = await browser.call('POST', '/accounts/recover', { token, newPassword: grace.password })
      must(await outOf(browser))
      await attack(person.email)

      expect(answer.headers.getSetCookie()[1]).toMatch(/^workspace-browser-\d+=.* HttpOnly;/)
      expect(answer.headers.get('x-internal-browser')).toBeNull()
      expect((await browser.signIn(person.email, grace.password)).status).toBe(201)
    })
  })
})
