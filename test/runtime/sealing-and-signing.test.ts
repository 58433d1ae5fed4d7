// What was signed with one key comes back with that key and with no other, and not changed by a bit. What is sealed:
// keyring.test.ts.
import { createHmac, createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKey, macOf, sign, verify } from '#runtime/sealing-and-signing.ts'

const key = deriveKey('a secret of at least thirty-two characters', 'one')
const otherPurpose = deriveKey('a secret of at least thirty-two characters', 'two')

test('the same secret and purpose give the same key, another secret or purpose another one', () => {
  expect(deriveKey('s', 'p').export()).toEqual(deriveKey('s', 'p').export())
  for (const other of [deriveKey('s', 'q'), deriveKey('t', 'p')])
    expect(other.export()).not.toEqual(deriveKey('s', 'p').export())
})

test('a signed value comes back as it was, as text that fits into a header', () => {
  const property = fc.property(fc.jsonValue(), (value) => {
    const text = sign(key, value)
    expect(text).toMatch(/^[\w-]+\.[\w-]{43}$/)
    expect(verify(key, text)).toEqual(JSON.parse(JSON.stringify(value)))
    expect(verify(otherPurpose, text)).toBeUndefined()
  })
  fc.assert(property)
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
  const halves = ['', '.', payload, `${payload}.`, `.${mac}`]
  const cut = [...halves, `${payload}.${mac.slice(1)}`, `${payload}.${mac}a.b`.slice(1)]
  const otherCode = `${payload}.${mac.replaceAll('-', '+').replaceAll('_', '/')}=`
  for (const wrong of [...cut, `${forged}.${mac}`, `${text}.`, `${text}=`, otherCode])
    expect(verify(key, wrong)).toBeUndefined()
  fc.assert(fc.property(fc.string(), (any) => verify(key, any) === undefined))
})

test('a MAC is HMAC-SHA-256 as anybody else makes it, whatever the key and the text, one after the other', () => {
  const secrets = fc.uint8Array({ minLength: 1, maxLength: 64 })
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 2_000 }), { minLength: 1, maxLength: 3 })
  const property = fc.property(secrets, texts, (secret, some) => {
    const key = createSecretKey(secret)
    const made = some.map((text) => macOf(key, text))
    expect(made).toEqual(some.map((text) => createHmac('sha256', secret).update(text).digest('base64url')))
  })
  fc.assert(property)
})
