// What the forms of keys and webhooks make of what is there, and of what was changed in them.
import { expect, test } from 'vitest'
import type { ApiKey } from '#contract/api-keys.ts'
import type { ApiPolicy } from '#contract/key-policy.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import { patchBetween } from '../../console/app/edit-conflict.ts'
import { keyFormOf, keyInputOf, keyMistakes, rulesOfChanged, type KeyForm } from '../../console/pages/keys/key-form.ts'
import { fieldsOf, headerMistakes, inputOf, isMoved, valuesOf } from '../../console/pages/webhooks/webhook-form.ts'

const nowMs = Date.parse('2026-11-22T12:00:00.000Z')
const key = {
  name: 'Import',
  description: null,
  ownerId: null,
  scopes: ['tasks:read'],
  surfaces: ['http'],
  toolNames: 'auto',
  ipAllowlist: ['192.0.2.0/24', '2001:db8::1'],
  rotationPolicy: { maxAgeDays: 90 },
  expiresAt: '2027-03-01T08:15:00.000Z',
  rateLimit: { perMinute: 60, burst: 10 },
} as unknown as ApiKey
const changed = (change: Partial<KeyForm>) => {
  const form = keyFormOf(key)
  return patchBetween(keyInputOf(form, nowMs), keyInputOf({ ...form, ...change }, nowMs))
}

test('a key that is looked at and left as it is changes nothing, not even the time of day at which it expires', () => {
  expect(changed({})).toEqual({})
})

test.each<[string, Partial<KeyForm>, object]>([
  ['a name', { name: ' Export ' }, { name: 'Export' }],
  ['no expiry', { expiry: 'never' }, { expiresAt: null }],
  ['another last day', { expiryDate: '2027-04-01' }, { expiresAt: '2027-04-01T23:59:59.000Z' }],
  ['no maximum age', { maxAge: '' }, { rotationPolicy: null }],
  ['no rate of its own', { perMinute: '', burst: '' }, { rateLimit: null }],
  ['another rate', { burst: '20' }, { rateLimit: { perMinute: 60, burst: 20 } }],
  ['any address', { ipAllowlist: '' }, { ipAllowlist: [] }],
  ['an owner', { ownerId: 'm1' }, { ownerId: 'm1' }],
  ['names of tools of its own', { toolNames: 'dots' }, { toolNames: 'dots' }],
  ['MCP as well', { mcp: true }, { surfaces: ['http', 'mcp'] }],
])('a key that is given %s is sent that alone', (_what, change, patch) => {
  expect(changed(change)).toEqual(patch)
})

test('a rate needs both numbers', () => {
  const mistakes = (change: Partial<KeyForm>) => Object.keys(keyMistakes({ ...keyFormOf(key), ...change }, null, nowMs))

  expect(mistakes({ burst: '' })).toEqual(['burst'])
  expect(mistakes({ perMinute: '0' })).toEqual(['perMinute'])
  expect(mistakes({ perMinute: '', burst: '' })).toEqual([])
})

test('a rule that a key broke before keeps nobody from changing another field', () => {
  const policy = { requireExpiry: true, requireIpAllowlist: true } as ApiPolicy
  const before = { ...keyFormOf(key), ipAllowlist: '', expiry: 'never' as const }
  const mistakes = (change: Partial<KeyForm>, from = before) => {
    const after = { ...before, ...change }
    return Object.keys(keyMistakes(after, rulesOfChanged(policy, from, after), nowMs))
  }

  expect(mistakes({ name: 'x' })).toEqual([])
  expect(mistakes({}, keyFormOf(key) as typeof before)).toEqual(['expiry', 'ipAllowlist'])
})

const webhook = {
  name: 'Hook',
  url: 'https://hooks.acme.example/a',
  eventTypes: ['tasks.*'],
  payload: 'thin',
  maxPerMinute: 90,
  order: 'object',
  ignoredKeyIds: ['k1'],
  filter: { kinds: ['deal'], changedFields: ['status', 'title'] },
  headerNames: ['x-a'],
} as unknown as Webhook

test('a webhook goes through its form as it is', () => {
  expect(fieldsOf(valuesOf(webhook))).toEqual({
    name: webhook.name,
    url: webhook.url,
    eventTypes: ['tasks.*'],
    payload: 'thin',
    maxPerMinute: 90,
    order: 'object',
    ignoredKeyIds: ['k1'],
    filter: { changedFields: ['status', 'title'], kinds: ['deal'] },
  })
  expect(fieldsOf({ ...valuesOf(webhook), changedFields: '', kinds: [] }).filter).toBeNull()
})

test('headers are sent where there are some, and a line that is none is named', () => {
  const values = { ...valuesOf(webhook), headers: 'x-a: 1\n\nx-b:2' }

  expect(inputOf(values).headers).toEqual({ 'x-a': '1', 'x-b': '2' })
  expect('headers' in inputOf({ ...values, headers: '' })).toBe(false)
  expect(headerMistakes(values)).toEqual({})
  expect(headerMistakes({ ...values, headers: 'no header' })).toMatchObject({
    headers: expect.stringContaining('no header'),
  })
})

test.each([
  ['https://hooks.acme.example/b', false],
  ['https://hooks.acme.example:8443/a', true],
  ['http://hooks.acme.example/a', true],
  ['https://other.example/a', true],
  ['https://', false],
])('to %s: moves to another host? %s', (url, expected) => {
  expect(isMoved(webhook.url, url)).toBe(expected)
})
