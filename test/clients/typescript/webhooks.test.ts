// Verification of deliveries by the published client, held against what the dispatcher signs.
import { expect, test } from 'vitest'
import { ownHeaders, standardHeaders } from '#contract/webhook-headers.ts'
import { verifyWebhook, WebhookError } from '#clients/typescript/src/index.ts'
import { signWebhook } from '#clients/typescript/src/webhooks.ts'
import { signedHeaders, signingKeys } from '#contract/internal/webhook-request.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const body = Buffer.from('{"type":"tasks.created","sequence":4,"data":{"title":"Ä"}}')
const unixSeconds = 1_800_000_000
const now = () => new Date(unixSeconds * 1_000)

const delivery = { deliveryId: 'd-1', eventType: 'tasks.created', traceparent: null, headers: {}, unixSeconds, body }
const signed = (brand: string, ...secrets: readonly string[]) =>
  signedHeaders(brand, delivery, secrets.map(signingKeys))

test.each(['standard', 'own'] as const)('a delivery is verified by its %s signature', async (scheme) => {
  const headers = signed('acme', secret)
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))

  for (const given of [headers, upper, new Headers(headers)]) {
    const { id, event } = await verifyWebhook(body, given, { secret, scheme, brand: 'acme', now })
    expect([id, event.type, event.sequence]).toEqual(['d-1', 'tasks.created', 4])
  }
  await expect(verifyWebhook(body.toString(), headers, { secret, scheme, brand: 'acme', now })).resolves.toBeTruthy()
})

test.each(['standard', 'own'] as const)('%s: while a secret is replaced, either of them will do', async (scheme) => {
  const both = signed('acme', other, secret)
  const how = { scheme, brand: 'acme', now }

  await expect(verifyWebhook(body, both, { ...how, secret })).resolves.toBeTruthy()
  await expect(verifyWebhook(body, both, { ...how, secret: other })).resolves.toBeTruthy()
  await expect(verifyWebhook(body, signed('acme', secret), { ...how, secret: [other, secret] })).resolves.toBeTruthy()
})

const changed: Record<string, (headers: Record<string, string>) => Parameters<typeof verifyWebhook>> = {
  'a changed body': (headers) => [Buffer.from('{}'), headers, { secret, now }],
  'another secret': (headers) => [body, headers, { secret: other, now }],
  'no headers': () => [body, {}, { secret, now }],
  'another id': (headers) => [body, { ...headers, [standardHeaders.deliveryId]: 'd-2' }, { secret, now }],
  'a signature that is no base64': (headers) => [
    body,
    { ...headers, [standardHeaders.signature]: 'v1,%' },
    { secret, now },
  ],
  'a later time': (headers) => [body, headers, { secret, now: () => new Date((unixSeconds + 301) * 1_000) }],
  'an earlier time': (headers) => [body, headers, { secret, now: () => new Date((unixSeconds - 301) * 1_000) }],
}

test.each(
  Object.entries(changed).flatMap(([name, change]) =>
    (['standard', 'own'] as const).map((scheme) => ({ name, change, scheme })),
  ),
)('$scheme: $name is refused', async ({ change, scheme }) => {
  const own = ownHeaders('service')
  const headers = signed('service', secret)
  const [sent, given, how] = change(headers)
  const same: Record<string, string> = Object.fromEntries(new Headers(given as Record<string, string>))
  if (same[standardHeaders.deliveryId] === 'd-2') same[own.signature] = 't=1,v1=00'
  if (same[standardHeaders.signature] === 'v1,%') same[own.signature] = `t=${unixSeconds},v1=zz`

  await expect(verifyWebhook(sent, same, { ...how, scheme })).rejects.toBeInstanceOf(WebhookError)
})

test('a secret that is none is a mistake of the receiver, and nothing is verified by it', async () => {
  await expect(verifyWebhook(body, signed('acme', secret), { secret: '', now })).rejects.toThrow('no secret')
  await expect(verifyWebhook(body, signed('acme', secret), { secret: 'whsec_AAAA', now })).rejects.toThrow('no secret')
})

test('what the helper for tests signs is what the dispatcher signs', async () => {
  const ours = await signWebhook(body, { secret, id: 'd-1', unixSeconds, brand: 'acme', type: 'tasks.created' })

  expect(signed('acme', secret)).toMatchObject(
    Object.fromEntries(Object.entries(ours).filter(([name]) => /signature|webhook-id|delivery-id/.test(name))),
  )
})
