import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyChanges } from '../../../console/pages/keys/key-changes.ts'

type Limits = Parameters<typeof keyChanges>[0]
const key: Limits = {
  scopes: ['tasks:write', 'projects:read'],
  surfaces: ['http'],
  expiresAt: '2027-03-01T23:59:59.000Z',
  rotationPolicy: { maxAgeDays: 90 },
  rateLimit: { perMinute: 60, burst: 10 },
  ipAllowlist: ['192.0.2.7', '10.0.0.0/24'],
}
const changed = (patch: Partial<Limits>) => keyChanges(key, { ...key, ...patch })
const nothing = { widened: [], narrowed: [] }

test.each<[string, Partial<Limits>, Partial<ReturnType<typeof keyChanges>>]>([
  [
    'scopes',
    { scopes: ['tasks:write', 'tasks:delete', 'documents:read'] },
    {
      widened: ['The key gets the scopes `tasks:delete`, `documents:read`.'],
      narrowed: ['The key loses the scope `projects:read`.'],
    },
  ],
  ['a scope that another one includes', { scopes: ['tasks:write', 'tasks:read', 'projects:read'] }, {}],
  [
    'surfaces',
    { surfaces: ['mcp'] },
    { widened: ['The key can use MCP.'], narrowed: ['The key can no longer use the HTTP API.'] },
  ],
  ['a later expiry', { expiresAt: '2027-04-01T23:59:59.000Z' }, { widened: [expect.stringMatching(/instead of on/)] }],
  ['no expiry', { expiresAt: null }, { widened: [expect.stringMatching(/^The key will never expire\. Until now/)] }],
  [
    'a sooner expiry',
    { expiresAt: '2026-12-01T23:59:59.000Z' },
    { narrowed: [expect.stringMatching(/^The key expires on/)] },
  ],
  ['an older secret', { rotationPolicy: null }, { widened: ['The secret no longer has to be rotated.'] }],
  ['a younger secret', { rotationPolicy: { maxAgeDays: 1 } }, { narrowed: ['The secret must be rotated every day.'] }],
  [
    'a higher rate',
    { rateLimit: { perMinute: 120, burst: 10 } },
    { widened: ['The key can make 120 requests per minute, with a burst of 10.'] },
  ],
  [
    'a smaller burst',
    { rateLimit: { perMinute: 60, burst: 5 } },
    { narrowed: ['The key can make 60 requests per minute, with a burst of 5.'] },
  ],
  ['no limit of its own', { rateLimit: null }, { widened: ['The key gets the default rate limit for keys.'] }],
  ['no addresses', { ipAllowlist: [] }, { widened: ['The key can be used from any IP address.'] }],
  [
    'other addresses',
    { ipAllowlist: ['192.0.2.7', '2001:db8::/48'] },
    {
      widened: ['The key can also be used from 2001:db8::/48.'],
      narrowed: ['The key can no longer be used from 10.0.0.0/24.'],
    },
  ],
])('%s: each change is told on the side that it is of', (_name, patch, told) => {
  expect(changed(patch)).toEqual({ ...nothing, ...told })
})

test('a first list of addresses says that there are no others, and a long list is cut', () => {
  const ipAllowlist = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5', '192.0.2.6', '192.0.2.7']

  expect(keyChanges({ ...key, ipAllowlist: [] }, { ...key, ipAllowlist }).narrowed).toEqual([
    'The key can be used from 192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5 and 2 more only.',
  ])
})

test('what is widened one way is narrowed the other way, and nothing changes between equals', () => {
  const scopes = fc.subarray<Limits['scopes'][number]>(['tasks:read', 'tasks:write', 'projects:read', 'webhooks:write'])
  const limits = fc.record({
    scopes,
    surfaces: fc.subarray<Limits['surfaces'][number]>(['http', 'mcp']),
    expiresAt: fc.option(fc.constantFrom('2027-01-01T00:00:00.000Z', '2028-01-01T00:00:00.000Z')),
    rotationPolicy: fc.option(fc.record({ maxAgeDays: fc.integer({ min: 1, max: 365 }) })),
    rateLimit: fc.option(
      fc.record({ perMinute: fc.integer({ min: 1, max: 99 }), burst: fc.integer({ min: 1, max: 9 }) }),
    ),
    ipAllowlist: fc.subarray(['192.0.2.7', '10.0.0.0/24', '2001:db8::/48']),
  })
  fc.assert(
    fc.property(limits, limits, (one, other) => {
      const [there, back] = [keyChanges(one, other), keyChanges(other, one)]

      expect(there.widened.length).toBe(back.narrowed.length)
      expect(there.narrowed.length).toBe(back.widened.length)
      expect(keyChanges(one, one)).toEqual(nothing)
    }),
  )
})
