// What was sealed or signed with one key comes back with that key and with no other, and not changed by a bit.
import { createHmac, createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKey, macOf, unseal, seal, sign, verify } from '#runtime/sealing-and-signing.ts'

const key = deriveKey('a secret of at least thirty-two characters', 'one')
const otherPurpose = deriveKey('a secret of at least thirty-two characters', 'two')
const otherSecret = deriveKey('another secret of at least thirty-two characters', 'one')

test('the same secret and purpose give the same key', () => {
  expect(deriveKey('s', 'p').export()).toEqual(deriveKey('s', 'p').export())
  expect(key.export()).not.toEqual(otherPurpose.export())
})

test('what was sealed opens with its key and context alone', () => {
  const sealed = seal(key, 'grüße', 'row 1')
  expect(unseal(key, sealed, 'row 1')).toBe('grüße')
  expect(() => unseal(key, sealed, 'row 2')).toThrow()
  expect(() => unseal(otherPurpose, sealed, 'row 1')).toThrow()
  expect(() => unseal(otherSecret, sealed, 'row 1')).toThrow()
  expect(seal(key, 'grüße', 'row 1')).not.toEqual(sealed)
})

test('a sealed value that was changed or cut does not open', () => {
  const sealed = seal(key, 'text', 'c')
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
      const changed = Buffer.from(sealed)
      changed[at] = changed[at]! ^ mask
      expect(() => unseal(key, changed, 'c')).toThrow()
    }),
  )
  for (const length of [0, 1, 12, 27]) expect(() => unseal(key, sealed.subarray(0, length), 'c')).toThrow()
})

test('a signed value comes back as it was, as text that fits into a header', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = sign(key, value)
      expect(text).toMatch(/^[\w-]+\.[\w-]{43}$/)
      expect(verify(key, text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(verify(otherPurpose, text)).toBeUndefined()
    }),
  )
})

test('what was signed for one context is nothing in another', () => {
  const text = sign(key, { id: 1 }, 'GET /a')
  expect(verify(key, text, 'GET /a')).toEqual({ id: 1 })
  for (const other of ['', 'GET /b', 'POST /a', 'GET /a ']) expect(verify(key, text, other)).toBeUndefined()
})

test('text that was not signed with the key gives nothing, whatever it is', () => {
  const text = sign(key, { id: 1 })
  const [payload, mac] = text.split('.') as [string, string]
  const forged = Buffer.from('{"id":2}').toString('base64url')
  const cut = [
    '',
    '.',
    payload,
    `${payload}.`,
    `.${mac}`,
    `${payload}.${mac.slice(1)}`,
    `${payload}.${mac}a.b`.slice(1),
  ]
  const otherCode = `${payload}.${mac.replaceAll('-', '+').replaceAll('_', '/')}=`
  for (const wrong of [...cut, `${forged}.${mac}`, `${text}.`, `${text}=`, otherCode])
    expect(verify(key, wrong)).toBeUndefined()
  fc.assert(fc.property(fc.string(), (any) => verify(key, any) === undefined))
})

test('a MAC is HMAC-SHA-256 as anybody else makes it, whatever the key and the text, one after the other', () => {
  const secrets = fc.uint8Array({ minLength: 1, maxLength: 64 })
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 2_000 }), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(secrets, texts, (secret, some) => {
      const key = createSecretKey(secret)
      const made = some.map((text) => macOf(key, text))
      expect(made).toEqual(some.map((text) => createHmac('sha256', secret).update(text).digest('base64url')))
    }),
  )
})
