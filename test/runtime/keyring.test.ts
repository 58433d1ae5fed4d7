// What several keys promise together: what one of them has sealed opens while that one is there, and under no other.
// What was signed with one key comes back with that key and with no other, and not changed by a bit.
import { createSecretKey, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyIdOf, keyring, UnknownSealingKey, type SealingKey, sealingKeys } from '#runtime/keyring.ts'
import { deriveKey, macOf, macsOf, seal, sign, unseal, verify } from '#runtime/sealing-and-signing.ts'
import { readSettings, type SettingsError } from '#runtime/settings.ts'
import { thrownBy } from '../gateway/support/checks.ts'

const internalSecret = 'a secret of at least thirty-two characters'
const keyNamed = (id: string, byte = id.charCodeAt(0)): SealingKey => ({
  id,
  key: createSecretKey(Buffer.alloc(32, byte)),
})
const [a, b] = [keyNamed('a'), keyNamed('b')]
const ring = (...keys: SealingKey[]) => keyring(keys, { internalSecret }, 'purpose')

const ids = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,15}$/)
const texts = fc.string({ unit: 'binary', maxLength: 100 })

test('whatever is sealed with the first of any keys opens with any keys among which that one is, and names it', () => {
  const property = fc.property(fc.uniqueArray(ids, { maxLength: 8 }), texts, texts, (names, plain, context) => {
    const keys = names.map((id, at) => keyNamed(id, at))
    const sealed = ring(...keys).seal(plain, context)
    expect(keyIdOf(sealed)).toBe(names[0] ?? null)
    expect(ring(...keys.toReversed()).open(sealed, context)).toBe(plain)
  })
  fc.assert(property)
})

test.each([[[]], [[a, b]]])('a value that was moved to another row does not open', (keys) => {
  const property = fc.property(texts, texts, texts, (plain, context, other) => {
    fc.pre(context !== other)
    expect(() => ring(...keys).open(ring(...keys).seal(plain, context), other)).toThrow()
  })
  fc.assert(property)
})

test('another key’s name in a value does not open it', () => {
  const sealed = ring(a, b).seal('text', 'row')
  const toB = Buffer.from(sealed)
  toB[sealed.indexOf(':a:') + 1] = 'b'.charCodeAt(0)

  expect(keyIdOf(toB)).toBe('b')
  expect(() => ring(a, b).open(toB, 'row')).toThrow()
})

test.each([[[]], [[a, b]]])('a value that was changed or cut does not open, and none is sealed twice alike', (keys) => {
  const { seal, open } = ring(...keys)
  const sealed = seal('text', 'row')
  expect(seal('text', 'row')).not.toEqual(sealed)
  const property = fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
    const changed = Buffer.from(sealed)
    changed[at] = changed[at]! ^ mask
    expect(() => open(changed, 'row')).toThrow()
  })
  fc.assert(property)
  for (const length of [0, 1, 8, 10, 12, 20, 27]) expect(() => open(sealed.subarray(0, length), 'row')).toThrow()
})

test('the name of a key does not pass for the key', () => {
  const sealed = ring(a).seal('text', 'row')
  expect(() => ring(keyNamed('a', 0)).open(sealed, 'row')).toThrow(/authenticate/)
})

test('a key that is missing is told apart from a value that was changed, by its id', () => {
  const sealed = ring(b).seal('text', 'row')
  expect(() => ring(a).open(sealed, 'row')).toThrow(UnknownSealingKey)
  expect(() => ring(a).open(sealed, 'row')).toThrow('"b"')
  expect(() => ring(b).open(sealed, 'other row')).not.toThrow(UnknownSealingKey)
})

test('without keys of its own everything is sealed as it always was, and such values go on opening', () => {
  const derived = deriveKey(internalSecret, 'purpose')
  const [before, now] = [seal(derived, 'text', 'row'), ring().seal('text', 'row')]
  expect(now).toHaveLength(before.length)
  expect(keyIdOf(now)).toBeNull()
  expect([ring().open(before, 'row'), ring(a).open(now, 'row')]).toEqual(['text', 'text'])
  for (const other of [
    keyring([a], { internalSecret: 'another secret' }, 'purpose'),
    keyring([], { internalSecret }, 'other'),
  ])
    expect(() => other.open(before, 'row')).toThrow()
})

test('keys of their own do not depend on the internal secret, and each purpose has others', () => {
  const sealed = ring(a).seal('text', 'row')
  expect(keyring([a], { internalSecret: 'another secret' }, 'purpose').open(sealed, 'row')).toBe('text')
  expect(() => keyring([a], { internalSecret }, 'other').open(sealed, 'row')).toThrow(/authenticate/)
})

const encoded = (byte: number, bytes = 32) => Buffer.alloc(bytes, byte).toString('base64')
const manyKeys = (count: number) => Array.from({ length: count }, (_, at) => `key-${at}:${encoded(at)}`).join(',')
const read = (given?: string) => readSettings({ sealingKeys }, { SEALING_KEYS: given }).sealingKeys

test('up to eight keys are read in their order, with blanks around', () => {
  const keys = read(` 2026-11:${encoded(2)} , b:${encoded(1)}`)
  expect(keys.map(({ id }) => id)).toEqual(['2026-11', 'b'])
  expect(keys.map(({ key }) => key.export()[0])).toEqual([2, 1])
  expect(read()).toEqual([])
  expect(read(manyKeys(8))).toHaveLength(8)
})

test.each([
  ['', 'is empty'],
  [encoded(1), 'must list keys as id:base64'],
  [`a:${encoded(1)},`, '(key 2 is none)'],
  [`A:${encoded(1)}`, 'must list keys as id:base64'],
  [`${'a'.repeat(17)}:${encoded(1)}`, 'must list keys as id:base64'],
  [`a:${encoded(1)},b:${encoded(1, 31)}`, 'must have 32 bytes in base64 for each key (key 2 has others)'],
  [`a:${encoded(1, 33)}`, 'must have 32 bytes'],
  [`a:${encoded(255).replace('/', '_')}`, 'must have 32 bytes'],
  [`a:${Buffer.alloc(32, 1).toString('hex')}`, 'must have 32 bytes'],
  [`a:${encoded(1)},a:${encoded(2)}`, 'must give each key an id of its own'],
  [`a:${encoded(1)},b:${encoded(1)}`, 'must list each key once'],
  [manyKeys(9), 'must list at most 8 keys'],
])('"%s" is refused by name, and nothing of it is repeated', (given, why) => {
  const mistake = (thrownBy(() => read(given)) as SettingsError).mistakes[0]
  expect(mistake).toMatch(/^SEALING_KEYS /)
  expect(mistake).toContain(why)
  for (const byte of [1, 2, 255]) expect(mistake).not.toContain(encoded(byte).slice(0, 8))
})

const signing = deriveKey(internalSecret, 'one')
const otherPurpose = deriveKey(internalSecret, 'two')

test('a signed value comes back as it was, as text that fits into a header', () => {
  const property = fc.property(fc.jsonValue(), (value) => {
    const text = sign(signing, value)
    expect(text).toMatch(/^[\w-]+\.[\w-]{43}$/)
    expect(verify(signing, text)).toEqual(JSON.parse(JSON.stringify(value)))
    expect(verify(otherPurpose, text)).toBeUndefined()
  })
  fc.assert(property)
})

test('what was signed for one context is nothing in another', () => {
  const text = sign(signing, { id: 1 }, 'GET /a')
  expect(verify(signing, text, 'GET /a')).toEqual({ id: 1 })
  for (const other of ['', 'GET /b', 'POST /a', 'GET /a ']) expect(verify(signing, text, other)).toBeUndefined()
})

test('text that was not signed with the key gives nothing, whatever it is', () => {
  const text = sign(signing, { id: 1 })
  const [payload, mac] = text.split('.') as [string, string]
  const forged = Buffer.from('{"id":2}').toString('base64url')
  const halves = ['', '.', payload, `${payload}.`, `.${mac}`]
  const cut = [...halves, `${payload}.${mac.slice(1)}`, `${payload}.${mac}a.b`.slice(1)]
  const otherCode = `${payload}.${mac.replaceAll('-', '+').replaceAll('_', '/')}=`
  for (const wrong of [...cut, `${forged}.${mac}`, `${text}.`, `${text}=`, otherCode])
    expect(verify(signing, wrong)).toBeUndefined()
  fc.assert(fc.property(fc.string(), (any) => verify(signing, any) === undefined))
})

test('a MAC is HMAC-SHA-256 as anybody else makes it, whatever the key and the text, one after the other', () => {
  const secrets = fc.uint8Array({ minLength: 1, maxLength: 64 })
  const several = fc.array(fc.string({ unit: 'binary', maxLength: 2_000 }), { minLength: 1, maxLength: 3 })
  const property = fc.property(secrets, several, (secret, some) => {
    const key = createSecretKey(secret)
    const made = some.map((text) => macOf(key, text))
    expect(made).toEqual(some.map((text) => createHmac('sha256', secret).update(text).digest('base64url')))
  })
  fc.assert(property)
})

test('while a secret is being changed, what was made with the other one holds, and all that is new is made with the first', () => {
  const [former, next] = ['the secret that goes', 'the secret that comes']
  const [ofFormer, ofNext] = [deriveKey(former, 'purpose'), deriveKey(next, 'purpose')]
  const both = deriveKey(next, 'purpose', former)

  expect(unseal(both, seal(ofFormer, 'text', 'row'), 'row')).toBe('text')
  expect(verify(both, sign(ofFormer, { id: 1 }, 'GET /a'), 'GET /a')).toEqual({ id: 1 })
  expect(macsOf(both, 'text')).toEqual([macOf(ofNext, 'text'), macOf(ofFormer, 'text')])

  expect(unseal(ofNext, seal(both, 'text', 'row'), 'row')).toBe('text')
  expect(verify(ofNext, sign(both, { id: 1 }))).toEqual({ id: 1 })
  const stranger = deriveKey('another secret', 'purpose')
  expect(verify(both, sign(stranger, { id: 1 }))).toBeUndefined()
  expect(() => unseal(both, seal(stranger, 'text', 'row'), 'row')).toThrow()
  const sealed = keyring([], { internalSecret: former }, 'purpose').seal('text', 'row')
  expect(keyring([], { internalSecret: next, acceptedSecret: former }, 'purpose').open(sealed, 'row')).toBe('text')
})
