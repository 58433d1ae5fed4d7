// Passkeys through the real gateway, as far as it needs no device: passkeys.begin, passkeys.create, passkeys.delete,
// sessions.begin-with-passkey and sessions.complete-with-passkey. What a device signs is in
// test/console/passkeys.test.ts.
import { expect, test } from 'vitest'
import { newId } from '#runtime/new-id.ts'
import { relyingPartyOf } from '../../service/identity/second-factors/webauthn.ts'
import { missingId } from '../support/client.ts'
import { passkeyDevice } from '../support/passkey-device.ts'
import { memberOf, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, systemWithOwner } from '../support/system.ts'

const refusal = (code: string, status = 403) => ({ status, body: { code } })
const credential = {
  id: 'AAAA',
  clientDataJSON: Buffer.from('{"origin":"http://localhost"}').toString('base64url'),
  attestationObject: 'AAAA',
  transports: [],
}
const assertion = {
  id: 'AAAA',
  clientDataJSON: credential.clientDataJSON,
  authenticatorData: 'AAAA',
  signature: 'AAAA',
  userHandle: null,
}

test.each([
  [null, { id: 'localhost', origin: null }],
  ['https://settings.example.com', { id: 'settings.example.com', origin: 'https://settings.example.com' }],
  ['https://settings.example.com:8443', { id: 'settings.example.com', origin: 'https://settings.example.com:8443' }],
  ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
  ['http://settings.example.com', null],
  ['https://192.0.2.1', null],
  ['https://[2001:db8::1]', null],
])('at the address %s passkeys are for %o', (publicUrl, party) => {
  expect(relyingPartyOf(publicUrl, 'Acme')).toEqual(party === null ? null : { ...party, name: 'Acme' })
})

describeMode('passkeys', 'standalone', (mode) => {
  const { system, owner } = systemWithOwner(mode)

  const member = () => memberOf(system, owner.workspaceId, 'viewer')
  const stored = async (email: string, credentialId: string = newId()) => {
    const { id: accountId } = await system.db.account.findUniqueOrThrow({ where: { email } })
    const id = newId()
    const key = { publicKey: Buffer.from('none'), counter: 7n, transports: [] }
    await system.db.passkey.create({
      data: { id, accountId, name: 'Laptop', credentialId, ...key, createdAt: new Date() },
    })
    return id
  }
  const begun = async (person: Person) => must(await person.call('POST', '/sessions/passkey', {}))
  const complete = (person: Person, challenge: string, more = {}) =>
    person.call('POST', '/sessions/passkey/complete', { challenge, credential: { ...assertion, ...more } })

  test('a device is asked for a key that it keeps, that makes sure of the person, and that it does not have yet', async () => {
    const person = await member()
    await stored(person.email, 'BBBB')

    const { setup, options } = must(await person.call('POST', '/passkeys/registration', {}))

    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: person.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: 'BBBB' }],
    })
    const wrong = await person.call('POST', '/passkeys', { setup, name: 'Phone', credential })
    const stolen = await (await member()).call('POST', '/passkeys', { setup, name: 'Phone', credential })
    const unknown = await person.call('POST', '/passkeys', { setup: 'x'.repeat(43), name: 'Phone', credential })
    expect([wrong, stolen, unknown]).toMatchObject([
      refusal('wrong_second_factor'),
      refusal('challenge_expired'),
      refusal('challenge_expired'),
    ])
  })

  test('a passkey signs in once with each challenge, also in two calls at once, and a copy that lags behind never', async () => {
    const person = await member()
    const { id: userId } = await system.db.account.findUniqueOrThrow({ where: { email: person.email } })
    const device = passkeyDevice()
    const asked = must(await person.call('POST', '/passkeys/registration', {}))
    const elsewhere = visitorOf(system)
    must(await elsewhere.signIn(person.email))
    const made = { setup: asked.setup, name: 'Laptop', credential: device.create(asked.options) }
    const added = must(await person.call('POST', '/passkeys', made))
    expect(added.recoveryCodes).toHaveLength(10)
    expect((await elsewhere.call('GET', '/sessions')).status).toBe(401)
    expect(await person.call('POST', '/passkeys', made)).toMatchObject(refusal('challenge_expired'))

    const sign = async (counter: number, more = {}) => {
      const visitor = visitorOf(system)
      const { challenge, options } = await begun(visitor)
      const credential = device.get(options, { counter, userId, ...more })
      const once = () => visitor.call('POST', '/sessions/passkey/complete', { challenge, credential })
      return { visitor, once }
    }
    const first = await sign(5)
    const both = await Promise.all([first.once(), first.once()])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403])
    expect(both.find(({ status }) => status === 201)?.body).toMatchObject({ signInMethod: 'passkey' })
    expect(must(await first.visitor.call('GET', '/sessions/current')).account.email).toBe(person.email)
    const wrong = [
      await sign(5),
      await sign(4),
      await sign(0),
      await sign(6, { isVerified: false }),
      await sign(6, { userId: missingId }),
    ]
    for (const each of wrong) expect(await each.once()).toMatchObject(refusal('wrong_second_factor'))
    expect((await (await sign(6)).once()).status).toBe(201)
  })

  test('a passkey confirms its own person', async () => {
    const person = await member()
    const device = passkeyDevice()
    const asked = must(await person.call('POST', '/passkeys/registration', {}))
    const made = { setup: asked.setup, name: 'Laptop', credential: device.create(asked.options) }
    must(await person.call('POST', '/passkeys', made))
    await system.db.session.updateMany({ data: { confirmedAt: null } })
    const proof = await begun(person)
    const passkey = { challenge: proof.challenge, credential: device.get(proof.options) }
    const confirm = () => person.call('POST', '/sessions/current/confirm', { passkey })

    expect(must(await confirm()).confirmedUntil).not.toBeNull()
    expect(await confirm()).toMatchObject(refusal('challenge_expired'))
  })

  test('twenty passkeys are the most', async () => {
    const person = await member()
    for (let n = 0; n < 20; n += 1) await stored(person.email)

    expect(await person.call('POST', '/passkeys/registration', {})).toMatchObject(refusal('limit_reached', 409))
  })

  test('a passkey is removed by its own person alone', async () => {
    const [person, other] = [await member(), await member()]
    const id = await stored(person.email)

    for (const each of [
      await other.call('DELETE', `/passkeys/${id}`),
      await person.call('DELETE', `/passkeys/${missingId}`),
    ])
      expect(each).toMatchObject(refusal('not_found', 404))
    expect((await person.call('DELETE', `/passkeys/${id}`)).status).toBe(204)
    expect(must(await person.call('GET', '/second-factors'))).toMatchObject({ passkeys: [] })
  })

  test('what no passkey has signed opens no session, and a challenge takes five tries', async () => {
    const visitor = visitorOf(system)
    const person = await member()
    await stored(person.email, 'CCCC')
    const { challenge, options } = await begun(visitor)

    expect(options).not.toHaveProperty('allowCredentials')
    const answers = []
    for (const id of ['AAAA', 'CCCC', 'CCCC', 'CCCC', 'CCCC', 'CCCC'])
      answers.push(await complete(visitor, challenge, { id }))
    expect(answers).toMatchObject([
      ...Array.from({ length: 5 }, () => refusal('wrong_second_factor')),
      refusal('sign_in_expired'),
    ])
    expect(visitor.cookie()).toBe('')
  })

  test('who is signed in is asked for a passkey of their own, which signs nobody in', async () => {
    const person = await member()
    await stored(person.email, 'DDDD')
    const { challenge, options } = await begun(person)

    expect(options.allowCredentials).toMatchObject([{ id: 'DDDD' }])
    expect(await complete(visitorOf(system), challenge)).toMatchObject(refusal('sign_in_expired'))
    const confirm = (passkey: object) => person.call('POST', '/sessions/current/confirm', { passkey })
    expect(await confirm({ challenge, credential: { ...assertion, id: 'DDDD' } })).toMatchObject(
      refusal('wrong_second_factor'),
    )
    const other = await begun(visitorOf(system))
    expect(await confirm({ challenge: other.challenge, credential: assertion })).toMatchObject(
      refusal('challenge_expired'),
    )
    expect(await person.call('POST', '/sessions/current/confirm', {})).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/password', code: 'required' }] },
    })
  })

  test('a password asks for the passkey, and who signs in at a provider adds none', async () => {
    const person = await member()
    await stored(person.email)

    expect(must(await visitorOf(system).signIn(person.email))).toMatchObject({ secondFactors: ['passkey'] })
    await system.db.account.update({ where: { email: person.email }, data: { passwordHash: null } })
    expect(await person.call('POST', '/passkeys/registration', {})).toMatchObject(refusal('invalid_transition', 409))
    expect(must(await visitorOf(system).call('GET', '/sessions/methods'))).toMatchObject({ passkey: true })
  })
})
