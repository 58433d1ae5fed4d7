import { expect, test } from 'vitest'
import { deliveryBody } from '#contract/event.ts'
import { shownHeaders } from '#contract/internal/deliveries.ts'
import { unixSecondsOf } from '#contract/internal/webhook-request.ts'
import { UnknownSealingKey } from '#runtime/keyring.ts'
import {
  buildRequest,
  keepingOpener,
  requestOf,
  requestSettings,
  type Message,
} from '../../../dispatcher/attempt/build-request.ts'
import { signedHeaders, signingKeys } from '#contract/internal/webhook-request.ts'
import type { LoadedDelivery } from '../../../dispatcher/queue/delivery-rows.ts'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { foreign, lacksForeign } from '../../support/foreign.ts'

const { default: Stripe } = await foreign(() => import('stripe'))
const { Webhook: SvixWebhook } = await foreign(() => import('svix'))

const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
const deliveryId = '01890000-0000-7000-8000-000000000001'
const eventBody = '{"id":"e1",  "data":{"name":"Ä"},"changes":{"name":{"from":"A","to":"Ä"}}}'
const customHeaders = { Authorization: 'Bearer theirs', 'X-Team': 'blue', 'User-Agent': 'x', 'WEBHOOK-ID': 'x' }
const about = { eventType: 'projects.updated', eventBody, payload: 'full' } as const
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'
const traced = { traceparent, isOfEvent: true }
const message: Message = { deliveryId, ...about, secrets: [signingKeys(secret)], customHeaders, traced }
const at = new Date(1_700_000_000_999)

test('a full payload is the event’s bytes as they were written; a thin one leaves out data and changes, and is what is signed', () => {
  const [full, thin] = [requestOf(message, 'service', at), requestOf({ ...message, payload: 'thin' }, 'service', at)]

  expect(full.body.toString()).toBe(eventBody)
  expect([thin.body.toString(), deliveryBody(eventBody, 'thin')]).toEqual(['{"id":"e1"}', '{"id":"e1"}'])
  expect(thin.headers['x-service-signature']).not.toBe(full.headers['x-service-signature'])
})

test('the stamp is the second in which the attempt was made; custom headers are sent, and never in the place of ours', () => {
  const { headers } = requestOf(message, 'service', at)

  expect(headers).toMatchObject({
    'webhook-timestamp': '1700000000',
    authorization: 'Bearer theirs',
    'x-team': 'blue',
    'content-type': 'application/json',
    'user-agent': 'service-webhooks/1',
    'webhook-id': deliveryId,
    traceparent,
  })
})

test('what is shown later is what was sent, without signatures and values of custom headers', () => {
  const masked = { authorization: '***', 'x-team': '***', 'x-service-signature': '***', 'webhook-signature': '***' }

  const { headers, stored } = requestOf(message, 'service', at)

  expect(JSON.stringify(stored)).not.toMatch(/Bearer|blue|v1/)
  const requested = { ...message, unixSeconds: unixSecondsOf(at), traceparent }
  expect(shownHeaders(stored, requested)).toEqual({ ...headers, ...masked })
  // A trace that is not that of the event is stored with its attempt.
  const own = requestOf(
    { ...message, traced: { traceparent: `${traceparent.slice(0, -1)}1`, isOfEvent: false } },
    'service',
    at,
  )
  expect(shownHeaders(own.stored, requested)).toEqual({ ...own.headers, ...masked })
  expect(JSON.stringify(stored)).not.toContain(traceparent)
  // Of an attempt that has all its headers stored, and of one that has none, nothing else is shown.
  const older = { ...requestOf(message, 'then', at).headers, 'then-other': 'kept' }
  const signatures = { 'x-then-signature': '***', 'webhook-signature': '***' }
  expect(shownHeaders(older, requested)).toEqual({ ...older, ...signatures })
  expect(shownHeaders({}, requested)).toEqual({})
})

test('nothing is signed with the other secrets alone while the key of one is missing, but where one was spoiled', () => {
  const sealedSecrets = ['newest', 'older'].map((id) => ({ id, sealed: '' }))
  const delivery = {
    id: deliveryId,
    ...about,
    trace: null,
    sealedHeaders: null,
    sealedSecrets,
  } as unknown as LoadedDelivery
  const built = (error: Error) => {
    const open = (_sealed: string | Uint8Array, context: string) => {
      if (context === 'webhook-secret:newest') throw error
      return secret
    }
    return buildRequest(delivery, requestSettings('service', open), at, traceparent)
  }

  expect(built(new UnknownSealingKey('b'))).toMatchObject({ kind: 'unsignable', reason: 'a sealing key is missing' })
  expect(built(new Error('changed'))).toMatchObject({ kind: 'ready' })
})

function given(max = 10) {
  const [opened, clock] = [[] as string[], { ms: 0 }]
  const read = (sealed: string | Uint8Array, context: string) => {
    opened.push(context)
    if (sealed.length === 0) throw new Error('does not open')
    return Buffer.from(sealed).toString()
  }
  const open = keepingOpener(read, { max, keptMs: 60, now: () => clock.ms })
  return { opened, clock, open: (text: string, context: string) => open(Buffer.from(text).toString('base64'), context) }
}

test('a value is opened once for all attempts of its time, and again when that is over', () => {
  const { opened, clock, open } = given()
  const openedAt = (ms: number) => {
    clock.ms = ms
    expect(open('a', 'row 1')).toBe('a')
    return opened.length
  }

  expect([0, 30, 59, 60].map(openedAt)).toEqual([1, 1, 1, 2])
})

test('a row that was sealed anew is opened anew, equal bytes in another row are not taken for it, and what does not open is tried again', () => {
  const { opened, open } = given()
  for (let n = 0; n < 2; n++) expect(() => open('', 'row 1')).toThrow('does not open')
  expect([open('a', 'row 1'), open('b', 'row 1'), open('b', 'row 2')]).toEqual(['a', 'b', 'b'])
  expect(opened).toEqual(['row 1', 'row 1', 'row 1', 'row 1', 'row 2'])
})

test('no more are kept than the bound: the one that was opened first goes', () => {
  const { opened, open } = given(2)
  for (const row of ['1', '2', '3', '3', '2', '1']) open('a', row)
  expect(opened).toEqual(['1', '2', '3', '1'])
})

// Three libraries as receivers use them, unchanged.

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const json = fc.json().map((text) => Buffer.from(`{"data":${text},"name":"Fjällräven → 日本"}`))

type Headers = Record<string, string>
type Verify = (body: Buffer, headers: Headers, secret: string) => unknown

const signed = (body: Buffer, secrets: readonly string[]): Headers => {
  const now = { deliveryId, eventType: 'projects.updated', body, unixSeconds: unixSecondsOf(new Date()) }
  return signedHeaders('service', now, secrets.map(signingKeys))
}

const verifiesAny = (_name: string, verify: Verify): void => {
  const [next, previous, stranger] = [makeSecret(), makeSecret(), makeSecret()]
  fc.assert(
    fc.property(json, fc.nat(), fc.integer({ min: 1, max: 255 }), (body, at, by) => {
      const headers = signed(body, [next, previous])
      const tampered = Buffer.from(body)
      const index = at % body.length
      tampered[index] = (tampered[index] ?? 0) ^ by

      for (const secret of [next, previous]) verify(body, headers, secret)
      expect(() => verify(body, headers, stranger)).toThrow()
      expect(() => verify(tampered, headers, next)).toThrow()
    }),
  )
}

test.each<[string, Verify]>([
  ['standardwebhooks', (body, headers, secret) => new StandardWebhook(secret).verify(body, headers)],
])('%s verifies any body, by the old secret and by the new one, and none with one byte changed', verifiesAny)

test.skipIf(lacksForeign).each<[string, Verify]>([
  [
    'stripe',
    (body, headers, key) =>
      new Stripe('sk_test_none').webhooks.constructEvent(body, headers['x-service-signature'] ?? '', key),
  ],
  ['svix', (body, headers, secret) => new SvixWebhook(secret).verify(body, headers)],
])('%s verifies any body, by the old secret and by the new one, and none with one byte changed', verifiesAny)

test('the headers have the documented names, with the brand, and are signed over the very stamp that is sent', () => {
  const message = {
    deliveryId,
    eventType: 'projects.updated',
    body: Buffer.from('{"a":1}'),
    unixSeconds: 1_700_000_000,
  }

  // The signatures were made by: openssl dgst -sha256 -hmac, or -mac HMAC -macopt hexkey:736563726574
  expect(signedHeaders('acme', message, [signingKeys('whsec_c2VjcmV0')])).toEqual({
    'content-type': 'application/json',
    'user-agent': 'acme-webhooks/1',
    'x-acme-event': 'projects.updated',
    'x-acme-delivery-id': deliveryId,
    'x-acme-signature-timestamp': '1700000000',
    'x-acme-signature': 't=1700000000,v1=6dd72433a4cd7716d09e26318f8f689412da31a76d080c30fd719cf6ac3f8479',
    'webhook-id': deliveryId,
    'webhook-timestamp': '1700000000',
    'webhook-signature': 'v1,ofcHh3/I0Q0fG1xJehEVVj3fICVQkPAILiWjHy4RkB0=',
  })
})
