import { expect, test } from 'vitest'
import { deliveryBody } from '#contract/event.ts'
import { shownHeaders, unixSecondsOf } from '#contract/internal/deliveries.ts'
import { UnknownSealingKey } from '#runtime/keyring.ts'
import {
  buildRequest,
  requestOf,
  requestSettings,
  type Message,
  keepingOpener,
} from '../../../dispatcher/attempt/build-request.ts'
import { signingKeys } from '../../../dispatcher/attempt/sign.ts'
import type { LoadedDelivery } from '../../../dispatcher/queue/delivery-rows.ts'

const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
const message: Message = {
  deliveryId: '01890000-0000-7000-8000-000000000001',
  eventType: 'projects.updated',
  eventBody: '{"id":"e1",  "data":{"name":"Ä"},"changes":{"name":{"from":"A","to":"Ä"}}}',
  payload: 'full',
  secrets: [signingKeys(secret)],
  customHeaders: { Authorization: 'Bearer of the receiver', 'X-Team': 'blue' },
}
const at = new Date(1_700_000_000_999)

test('a full payload is the event’s bytes as they were written', () => {
  expect(requestOf(message, 'service', at).body.toString()).toBe(message.eventBody)
})

test('a thin payload leaves out data and changes, and is what is signed', () => {
  expect(deliveryBody(message.eventBody, 'thin')).toBe('{"id":"e1"}')
  const [full, thin] = [requestOf(message, 'service', at), requestOf({ ...message, payload: 'thin' }, 'service', at)]
  expect(thin.headers['x-service-signature']).not.toBe(full.headers['x-service-signature'])
})

test('the stamp is the second in which the attempt was made, never one that is yet to come', () => {
  const { headers } = requestOf(message, 'service', at)
  const stamps = ['x-service-signature-timestamp', 'webhook-timestamp'].map((name) => headers[name])
  expect(stamps).toEqual(['1700000000', '1700000000'])
  expect(headers['x-service-signature']).toMatch(/^t=1700000000,/)
})

test('custom headers are sent, and never in the place of ours', () => {
  const { headers } = requestOf(
    { ...message, customHeaders: { ...message.customHeaders, 'User-Agent': 'x', 'WEBHOOK-ID': 'x' } },
    'service',
    at,
  )
  expect(headers).toMatchObject({
    authorization: 'Bearer of the receiver',
    'x-team': 'blue',
    'content-type': 'application/json',
    'user-agent': 'service-webhooks/1',
    'webhook-id': message.deliveryId,
  })
})

test('what is shown later is what was sent, without signatures and values of custom headers', () => {
  const masked = { authorization: '***', 'x-team': '***', 'x-service-signature': '***', 'webhook-signature': '***' }
  const customHeaders = { ...message.customHeaders, 'User-Agent': 'x', 'Webhook-Id': 'x' }

  const { headers, stored } = requestOf({ ...message, customHeaders }, 'service', at)

  expect(JSON.stringify(stored)).not.toMatch(/Bearer|blue|v1/)
  expect(shownHeaders(stored, { ...message, unixSeconds: unixSecondsOf(at) })).toEqual({ ...headers, ...masked })
})

test('of an attempt that has all its headers stored, and of one that has none, nothing else is shown', () => {
  const older = { ...requestOf(message, 'then', at).headers, 'then-other': 'kept' }
  const requested = { ...message, unixSeconds: unixSecondsOf(at) }
  const masked = { 'x-then-signature': '***', 'webhook-signature': '***' }

  expect(shownHeaders(older, requested)).toEqual({ ...older, ...masked })
  expect(shownHeaders({}, requested)).toEqual({})
})

test('nothing is signed with the other secrets alone while the key of one is missing, but where one was spoiled', () => {
  const delivery: LoadedDelivery = {
    id: message.deliveryId,
    eventType: message.eventType,
    eventBody: message.eventBody,
    payload: message.payload,
    workspaceId: 'w',
    webhookId: 'h',
    origin: 'live',
    attemptCount: 0,
    attemptsSinceReplay: 0,
    maxAttempts: 3,
    url: 'https://example.com/',
    sealedHeaders: null,
    expiresAt: null,
    orderingKey: null,
    sealedSecrets: [
      { id: 'newest', sealed: '' },
      { id: 'older', sealed: '' },
    ],
  }
  const built = (error: Error) =>
    buildRequest(
      delivery,
      requestSettings('service', (_sealed, context) => {
        if (context === 'webhook-secret:newest') throw error
        return secret
      }),
      at,
    )
  expect(built(new UnknownSealingKey('b'))).toMatchObject({ kind: 'unsignable', reason: 'a sealing key is missing' })
  expect(built(new Error('changed'))).toMatchObject({ kind: 'ready' })
})

/** Opens by reading, and writes down whose turn it was. */
function given(max = 10) {
  const [opened, clock] = [[] as string[], { ms: 0 }]
  const open = keepingOpener(
    (sealed, context) => {
      opened.push(context)
      if (sealed.length === 0) throw new Error('does not open')
      return Buffer.from(sealed).toString()
    },
    { max, keptMs: 60, now: () => clock.ms },
  )
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

test('a row that was sealed anew is opened anew, and equal bytes in another row are not taken for it', () => {
  const { opened, open } = given()
  expect([open('a', 'row 1'), open('b', 'row 1'), open('b', 'row 2')]).toEqual(['a', 'b', 'b'])
  expect(opened).toEqual(['row 1', 'row 1', 'row 2'])
})

test('no more are kept than the bound: the one that was opened first goes', () => {
  const { opened, open } = given(2)
  for (const row of ['1', '2', '3', '3', '2', '1']) open('a', row)
  expect(opened).toEqual(['1', '2', '3', '1'])
})

test('what does not open is tried again', () => {
  const { opened, open } = given()
  for (let n = 0; n < 2; n++) expect(() => open('', 'row 1')).toThrow('does not open')
  expect(open('a', 'row 1')).toBe('a')
  expect(opened).toEqual(['row 1', 'row 1', 'row 1'])
})
