// Wrong passwords of others keep nobody out: not in the browser that they always use, not in the session that they
// have, and not behind the address of an office.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countTry, passwordTries } from '../../service/identity/accounts/sign-in-attempts.ts'
import { ada, firstOwner, memberOf, samePage, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type System } from '../support/system.ts'

const newPassword = 'compilers like long walks'

describeMode('limits of signing in', 'standalone', () => {
  let system: System
  let owner: Person & { readonly workspaceId: string }
  beforeAll(async () => {
    system = await startSystem('standalone', { trustedProxies: ['127.0.0.0/8'] })
    owner = await firstOwner(system, { workspaceName: 'Acme' })
  })
  afterAll(() => system?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    await system.db.signInAttempt.deleteMany()
  })

  const browserAt = (address: string): Person => visitorOf(system, { ...samePage, 'x-forwarded-for': address })
  /** As many wrong tries as there may be, from many addresses. */
  async function attack(email: string): Promise<void> {
    for (let at = 0; at < 110; at += 1)
      await countTry(system.db, passwordTries(email, `198.51.100.${at % 11}`), new Date()).catch(() => {})
  }
  const outOf = (person: Person) => person.call('DELETE', '/sessions/current')
  const confirm = (person: Person, password = ada.password) =>
    person.call('POST', '/sessions/current/confirm', { password })

  test('from many addresses: a known browser signs in, whoever is signed in confirms, and only others wait', async () => {
    const [known, live] = [browserAt('192.0.2.1'), browserAt('192.0.2.2')]
    must(await known.signIn())
    must(await live.signIn())
    must(await outOf(known))
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
    const person = await memberOf(system, owner.workspaceId, 'viewer')
    const known = browserAt(office)
    must(await known.signIn(person.email))
    must(await outOf(known))
    for (let at = 0; at < 61; at += 1)
      await countTry(system.db, passwordTries(`${at}@example.com`, office), new Date()).catch(() => {})
    const guesses = []
    for (let at = 0; at < 21; at += 1)
      guesses.push(
        await browserAt(office).call('POST', '/accounts/recover', { token: `${at}`.padEnd(43, 'x'), newPassword }),
      )
    const { token } = must(
      await system.operator('POST', '/settings/api/accounts/reset-access', { email: person.email }),
    )

    expect(guesses.at(-1)?.status).toBe(429)
    expect((await browserAt(office).signIn(person.email)).status).toBe(429)
    expect((await known.signIn(person.email)).status).toBe(201)
    expect((await browserAt(office).call('POST', '/accounts/recover', { token, newPassword })).status).toBe(200)
  })

  test('a known browser has ten tries of its own, which cost no other browser any', async () => {
    const [one, two] = [browserAt('192.0.2.1'), browserAt('192.0.2.1')]
    for (const each of [one, two]) {
      must(await each.signIn())
      must(await outOf(each))
    }
    const guesses = []
    for (let at = 0; at < 11; at += 1) guesses.push((await one.signIn(ada.email, `not the password ${at}`)).status)

    expect(guesses).toEqual([...Array.from({ length: 10 }, () => 403), 429])
    expect((await one.signIn()).status).toBe(429)
    expect((await two.signIn()).status).toBe(201)
    expect((await browserAt('192.0.2.4').signIn()).status).toBe(201)
  })

  test('a session has ten tries to confirm, which cost no other session and no sign-in any', async () => {
    const [one, two] = [browserAt('192.0.2.1'), browserAt('192.0.2.1')]
    for (const each of [one, two]) must(await each.signIn())
    const guesses = []
    for (let at = 0; at < 11; at += 1) guesses.push((await confirm(one, `not the password ${at}`)).status)

    expect(guesses).toEqual([...Array.from({ length: 10 }, () => 403), 429])
    expect((await confirm(one)).status).toBe(429)
    expect((await confirm(two)).status).toBe(200)
    expect((await browserAt('192.0.2.4').signIn()).status).toBe(201)
  })

  test('no browser is known by a wrong password, another’s account, or a password that was replaced', async () => {
    const [person, other] = [
      await memberOf(system, owner.workspaceId, 'viewer'),
      await memberOf(system, owner.workspaceId, 'viewer'),
    ]
    const [guesser, ofOther, here, there] = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map(browserAt) as [
      ...[Person, Person, Person, Person],
    ]
    await guesser.signIn(person.email, 'not the password')
    must(await ofOther.signIn(other.email))
    for (const each of [here, there]) must(await each.signIn(person.email))
    must(await here.call('POST', '/account/password', { currentPassword: ada.password, newPassword }))
    for (const each of [ofOther, here]) must(await outOf(each))
    await attack(person.email)

    expect(guesser.browser()).toBe('')
    expect((await ofOther.signIn(person.email, newPassword)).status).toBe(429)
    expect((await there.signIn(person.email, newPassword)).status).toBe(429)
    expect((await here.signIn(person.email, newPassword)).status).toBe(201)
  })

  test('each way to sign in makes the browser known, and no script reads how', async () => {
    const person = await memberOf(system, owner.workspaceId, 'viewer')
    const browser = browserAt('192.0.2.1')
    const { token } = must(
      await system.operator('POST', '/settings/api/accounts/reset-access', { email: person.email }),
    )
    const answer = await browser.call('POST', '/accounts/recover', { token, newPassword })
    must(await outOf(browser))
    await attack(person.email)

    expect(answer.headers.getSetCookie()[1]).toMatch(
      /^workspace-browser-\d+=[\w-]{22}\.[\w-]{43}\.[\w-]{22}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
    )
    expect(answer.headers.get('x-internal-browser')).toBeNull()
    expect((await browser.signIn(person.email, newPassword)).status).toBe(201)
  })
})
