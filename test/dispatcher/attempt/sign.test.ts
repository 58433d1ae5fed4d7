// Three libraries as receivers use them, unchanged.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { expect, test } from 'vitest'
import { signedHeaders, signingKeys } from '../../../dispatcher/attempt/sign.ts'

const deliveryId = '01890000-0000-7000-8000-000000000001'
const unixNow = () => Math.floor(Date.now() / 1_000)
const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const json = fc.json().map((text) => Buffer.from(`{"data":${text},"name":"Fjällräven → 日本"}`))

type Headers = Record<string, string>
const stripe = new Stripe('sk_test_none')
const libraries: Record<string, (body: Buffer, headers: Headers, secret: string) => unknown> = {
  stripe: (body, headers, secret) => stripe.webhooks.constructEvent(body, headers['x-service-signature'] ?? '', secret),
  standardwebhooks: (body, headers, secret) => new StandardWebhook(secret).verify(body, headers),
  svix: (body, headers, secret) => new SvixWebhook(secret).verify(body, headers),
}

const signed = (body: Buffer, secrets: readonly string[], unixSeconds = unixNow()): Headers =>
  signedHeaders('service', { deliveryId, eventType: 'projects.updated', body, unixSeconds }, secrets.map(signingKeys))

for (const [name, verify] of Object.entries(libraries)) {
  test(`${name} verifies any body`, () => {
    fc.assert(
      fc.property(json, (body) => {
        const secret = makeSecret()
        verify(body, signed(body, [secret]), secret)
      }),
    )
  })

  test(`${name} verifies with the old secret and with the new one while they overlap`, () => {
    const [next, previous, stranger] = [makeSecret(), makeSecret(), makeSecret()]
    const body = Buffer.from('{"a":1}')
    const headers = signed(body, [next, previous])
    verify(body, headers, next)
    verify(body, headers, previous)
    expect(() => verify(body, headers, stranger)).toThrow()
  })

  test(`${name} refuses a body with one byte changed`, () => {
    fc.assert(
      fc.property(json, fc.nat(), fc.integer({ min: 1, max: 255 }), (body, at, by) => {
        const secret = makeSecret()
        const tampered = Buffer.from(body)
        const index = at % body.length
        tampered[index] = (tampered[index] ?? 0) ^ by
        expect(() => verify(tampered, signed(body, [secret]), secret)).toThrow()
      }),
    )
  })

  test(`${name} refuses a stamp that is older than five minutes`, () => {
    const secret = makeSecret()
    const body = Buffer.from('{}')
    expect(() => verify(body, signed(body, [secret], unixNow() - 310), secret)).toThrow()
  })
}

test('the headers have the documented names and form, and one stamp', () => {
  const headers = signed(Buffer.from('{}'), [makeSecret(), makeSecret()], 1_700_000_000)
  expect(headers).toMatchObject({
    'x-service-event': 'projects.updated',
    'x-service-delivery-id': deliveryId,
    'x-service-signature-timestamp': '1700000000',
    'webhook-id': deliveryId,
    'webhook-timestamp': '1700000000',
  })
  expect(headers['x-service-signature']).toMatch(/^t=1700000000,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
  expect(headers['webhook-signature']).toMatch(/^v1,[0-9A-Za-z+/]{43}= v1,[0-9A-Za-z+/]{43}=$/)
})

test('both signatures are over the very stamp that is sent, whatever time it is now', () => {
  const body = Buffer.from('{"a":1}')
  const headers = signed(body, ['whsec_c2VjcmV0'], 1_700_000_000)
  // Made by: openssl dgst -sha256 -hmac, or -mac HMAC -macopt hexkey:736563726574
  expect(headers['x-service-signature']).toBe(
    't=1700000000,v1=6dd72433a4cd7716d09e26318f8f689412da31a76d080c30fd719cf6ac3f8479',
  )
  expect(headers['webhook-signature']).toBe('v1,ofcHh3/I0Q0fG1xJehEVVj3fICVQkPAILiWjHy4RkB0=')
})

test('the brand stands in the names', () => {
  const headers = signedHeaders('acme', { deliveryId, eventType: 'e', body: Buffer.from(''), unixSeconds: 1 }, [
    signingKeys(makeSecret()),
  ])
  expect(headers['user-agent']).toBe('acme-webhooks/1')
  expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([
    'x-acme-event',
    'x-acme-delivery-id',
    'x-acme-signature-timestamp',
    'x-acme-signature',
  ])
})
