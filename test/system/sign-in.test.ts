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

  test('a right password signs in, with a cookie that no script can read and that over https no other host gets', async () => {
    const [here, behindProxy] = [
      visitorOf(system),
      visitorOf(calledAs(system, 'console.example.com'), { ...samePage, 'x-forwarded-proto': 'https' }),
    ]

    const answers = [await here.signIn('ADA@example.com'), await behindProxy.signIn()]
    const withoutPrefix = { cookie: behindProxy.cookie().replace('__Host-', '') }

    const [cookie, ofHost] = answers.map(({ headers }) => headers.getSetCookie()[0])
    expect(cookie).toMatch(/^workspace-session-\d+=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/)
    expect(ofHost).toMatch(/^__Host-session=[\w-]{43}; Path=\/; .*; Secure$/)
    expect(answers[0]?.headers.get('x-internal-session')).toBeNull()
    expect(JSON.stringify(answers[0]?.body)).not.toContain(here.cookie().split('=')[1])
    expect((await behindProxy.call('GET', '/sessions/current')).status).toBe(200)
    expect((await behindProxy.call('GET', '/sessions/current', undefined, withoutPrefix)).status).toBe(401)
  })

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another origin, as an older browser says it', { origin: 'http://127.0.0.1:1' }],
    ['a program that says nothing', {}],
  ])('a change that %s asks for is refused, with the cookie of a session and without', async (_who, headers) => {
    const asked = { cookie: owner.cookie(), ...headers }

    const made = { name: 'Theirs', preset: 'read-only' }
    const changed = await system.call('POST', `/settings/api${inOwn('/api-keys')}`, made, asked)
    const signedIn = await system.call('POST', '/settings/api/sessions', ada, headers)

    for (const answer of [changed, signedIn]) expect(answer).toMatchObject(refusal('origin_not_allowed'))
  })

  test('an older browser says by Origin alone that the page is ours; the API and MCP take no cookie', async () => {
    const cookie = { cookie: owner.cookie(), ...samePage }

    const older = await visitorOf(system, { origin: system.url }).signIn()
    const api = await system.call('GET', '/api/v1/projects', undefined, cookie)
    const mcp = await system.call('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, cookie)

    expect([older, api, mcp].map(({ status }) => status)).toEqual([201, 401, 401])
  })

  test('a session gets nothing of a workspace where it has no member, as of one that does not exist', async () => {
    for (const id of [other.workspaceId, missingId])
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { name: 'Mine' }],
        ['GET', '/api-keys'],
        ['POST', '/api-keys', { name: 'Mine', preset: 'read-only' }],
      ] as const)
        expect(await owner.call(method, `/workspaces/${id}${path}`, body)).toMatchObject(
          refusal('workspace_not_allowed'),
        )
  })

  test('what the operator alone sees, sets or makes, an owner cannot; a key that reaches elsewhere gets no new secret', async () => {
    const asOperator = async (method: string, path: string, body: object) =>
      must(await system.operator(method, `/settings/api${path}`, body))
    await asOperator('PATCH', `/workspaces/${other.workspaceId}`, { apiPolicy: { allowUnboundKeys: true } })
    const far = { name: 'Far', preset: 'read-only', workspaceIds: [other.workspaceId] }
    const { id } = await asOperator('POST', inOwn('/api-keys'), far)
    const own = { apiPolicy: { requireExpiry: false }, timeZone: 'Europe/Berlin' }

    const policy = await owner.call('PATCH', inOwn(''), own)

    expect(policy).toMatchObject({ status: 200, body: { timeZone: 'Europe/Berlin' } })
    for (const [method, path, body] of [
      ['GET', '/workspaces'],
      ['POST', '/workspaces', { name: 'New' }],
      ['GET', `/refusals/${missingId}`],
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

  test('one sees one’s sessions, and ends another of them; nobody ends that of somebody else', async () => {
    const [here, there] = [visitorOf(system), visitorOf(system)]
    const another = await viewer()
    const { id } = must(await here.signIn())
    const { id: thereId } = must(await there.signIn())

    const { data } = must(await here.call('GET', '/sessions'))
    const byAnother = await another.call('DELETE', `/sessions/${id}`)
    const ended = await here.call('DELETE', `/sessions/${thereId}`)
    const again = await here.call('DELETE', `/sessions/${thereId}`)

    const known = data.filter((each: { id: string }) => [id, thereId].includes(each.id))
    expect(known.map(({ current }: { current: boolean }) => current)).toEqual([false, true])
    expect([byAnother.status, ended.status, again.status]).toEqual([404, 204, 404])
    expect((await there.call('GET', '/sessions/current')).status).toBe(401)
    expect((await here.call('GET', '/sessions/current')).status).toBe(200)
  })

  test('a new password ends all other sessions, and the old one signs in no more; an e-mail is the account’s own', async () => {
    const here = await viewer()
    const there = visitorOf(system)
    must(await there.signIn(here.email))
    const change = (currentPassword: string, newPassword: string) =>
      here.call('POST', '/account/password', { currentPassword, newPassword })

    const guessed = await change(ada.password, 'password1234')
    const wrong = await change('not this one', grace.password)
    const changed = await change(ada.password, grace.password)
    const renamed = await here.call('PATCH', '/account', { name: 'Grace Murray' })
    const taken = await here.call('PATCH', '/account', { email: ada.email.toUpperCase() })

    expect(renamed).toMatchObject({ status: 200, body: { name: 'Grace Murray', email: here.email } })
    expect(taken).toMatchObject({ status: 409, body: { code: 'duplicate', field: 'email' } })
    expect(taken.body.existingId).toBeUndefined()
    expect(guessed).toMatchObject({ status: 422, body: { errors: [{ pointer: '/newPassword' }] } })
    expect([wrong.status, changed.status]).toEqual([403, 204])
    expect((await here.call('GET', '/sessions/current')).status).toBe(200)
    expect((await there.call('GET', '/sessions/current')).status).toBe(401)
    expect((await there.signIn(here.email)).status).toBe(403)
    expect((await there.signIn(here.email, grace.password)).status).toBe(201)
  })

  test('wrong passwords are limited for an account and an address, also at once, and a wrong e-mail is answered alike', async () => {
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
      expect((await confirm(owner)).status).toBe(200)
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

    test('no browser is known by a wrong password, another’s account, or a password that was replaced', async () => {
      const [person, other] = [await viewer(), await viewer()]
      const [guesser, ofOther] = [browserAt('192.0.2.1'), browserAt('192.0.2.2')]
      const [here, there] = [browserAt('192.0.2.3'), browserAt('192.0.2.4')]
      await guesser.signIn(person.email, 'not the password')
      must(await ofOther.signIn(other.email))
      for (const each of [here, there]) must(await each.signIn(person.email))
      must(await here.call('POST', '/account/password', { currentPassword: ada.password, newPassword: grace.password }))
      for (const each of [ofOther, here]) must(await outOf(each))
      await attack(person.email)

      expect(guesser.browser()).toBe('')
      expect((await ofOther.signIn(person.email, grace.password)).status).toBe(429)
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

      expect(answer.headers.getSetCookie()[1]).toMatch(
        /^workspace-browser-\d+=[\w-]{22}\.[\w-]{43}\.[\w-]{22}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
      )
      expect(answer.headers.get('x-internal-browser')).toBeNull()
      expect((await browser.signIn(person.email, grace.password)).status).toBe(201)
    })
  })
})
