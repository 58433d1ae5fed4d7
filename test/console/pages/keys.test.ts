// What the pages of keys work out without a browser: forms, the filters and risks of the list, and words for scopes.
import { expect, test } from 'vitest'
import type { ApiKey } from '#contract/api-keys.ts'
import type { ApiPolicy } from '#contract/key-policy.ts'
import { scopes } from '#contract/scopes.ts'
import { fittingKeys, keySearch } from '../../../console/pages/keys/key-filter.ts'
import { patchBetween } from '../../../console/app/edit-conflict.ts'
import * as forms from '../../../console/pages/keys/key-form.ts'
import { hasRisk, isUsable, nameOfRisk, riskNames } from '../../../console/pages/keys/key-risks.ts'
import * as words from '../../../console/pages/keys/scope-words.ts'

const { accessOfPreset, emptyForm, expiresAt, isPreset, keyFormOf, keyInputOf, keyMistakes, rotateBy, rulesOfChanged } =
  forms
type KeyForm = forms.KeyForm
const nowMs = Date.parse('2026-11-22T12:00:00.000Z')
const daysFrom = (days: number): string => new Date(nowMs + days * 86_400_000).toISOString()

test('a form that nobody has touched asks for a key over HTTP that ends in 90 days', () => {
  const asked = keyInputOf({ ...emptyForm, name: ' CRM import ' }, nowMs)

  const none = { description: null, ownerId: null, rotationPolicy: null, rateLimit: null }
  const empty = { ...none, scopes: [], ipAllowlist: [] }
  expect(asked).toMatchObject({ ...empty, name: 'CRM import', surfaces: ['http'], expiresAt: daysFrom(90) })
})

test('all that a form can hold stands in what is asked for, each address once', () => {
  const same = { name: 'Agent', ownerId: 'm1', toolNames: 'underscores' as const }
  const forms = { http: false, mcp: true, expiry: 'never' as const, maxAge: '30', perMinute: '60', burst: '10' }
  const ipAllowlist = '10.0.0.7/24\n10.0.0.0/24\n::1\nno address'
  const lists = { scopes: new Set(['tasks:read', 'tasks:write']), ipAllowlist }

  const asked = keyInputOf({ ...emptyForm, ...same, ...forms, ...lists, description: ' for the team ' }, nowMs)

  expect(asked).toEqual({
    ...same,
    description: 'for the team',
    scopes: ['tasks:read', 'tasks:write'],
    surfaces: ['mcp'],
    expiresAt: null,
    rotationPolicy: { maxAgeDays: 30 },
    ipAllowlist: ['10.0.0.0/24', '::1'],
    rateLimit: { perMinute: 60, burst: 10 },
  })
})

test('a preset gives a key its scopes and its surfaces, and is the chosen one while nothing of that is changed', () => {
  const agent = { ...emptyForm, ...accessOfPreset('agent') }
  const sync = { ...emptyForm, ...accessOfPreset('sync') }

  expect([keyInputOf(agent, nowMs).surfaces, keyInputOf(sync, nowMs).surfaces]).toEqual([['mcp'], ['http']])
  expect([isPreset(agent, 'agent'), isPreset(agent, 'sync'), isPreset({ ...agent, http: true }, 'agent')]).toEqual([
    true,
    false,
    false,
  ])
  expect(isPreset({ ...agent, scopes: new Set([...agent.scopes, 'jobs:read']) }, 'agent')).toBe(false)
})

test.each([
  ['never', '', null],
  ['365', '2030-01-01', daysFrom(365)],
  ['date', '2026-12-24', '2026-12-24T23:59:59.000Z'],
  ['date', '', null],
  ['date', '2026-02-31x', null],
] as const)('an expiry of %s %s is %s', (expiry, expiryDate, expected) => {
  expect(expiresAt({ expiry, expiryDate }, nowMs)?.toISOString() ?? null).toBe(expected)
})

test('a maximum age says by when a secret is due, if it is one', () => {
  const due = ['30', '', '1000'].map((maxAge) => rotateBy(maxAge, nowMs)?.toISOString() ?? null)

  expect(due).toEqual([daysFrom(30), null, null])
})

const lax = { maxKeyAgeDays: null, requireIpAllowlist: false, requireExpiry: false, allowUnboundKeys: true }
const strict = { ...lax, requireIpAllowlist: true, requireExpiry: true }

test.each([
  ['nothing', {}, lax, []],
  ['no surface', { http: false }, lax, ['http']],
  ['a day that is over', { expiry: 'date', expiryDate: '2026-11-21' }, lax, ['expiryDate']],
  ['today', { expiry: 'date', expiryDate: '2026-11-22' }, lax, []],
  ['no day', { expiry: 'date' }, lax, ['expiryDate']],
  ['never, where keys must expire', { expiry: 'never' }, { ...lax, requireExpiry: true }, ['expiry']],
  ['no address, where keys must name some', {}, { ...lax, requireIpAllowlist: true }, ['ipAllowlist']],
  ['an address, where keys must name some', { ipAllowlist: '::1' }, strict, []],
  ['an address that is none', { ipAllowlist: '::1\noffice' }, null, ['ipAllowlist']],
  ['the greatest age', { maxAge: '365' }, null, []],
  ['an age of too many days', { maxAge: '366' }, null, ['maxAge']],
  ['an age in words', { maxAge: 'a year' }, null, ['maxAge']],
  ['a rate without a burst', { perMinute: '60' }, null, ['burst']],
  ['a rate of none', { perMinute: '0', burst: '10' }, null, ['perMinute']],
] as const)('what is wrong with %s', (_name, change, policy, fields) => {
  expect(Object.keys(keyMistakes({ ...emptyForm, ...change }, policy, nowMs))).toEqual(fields)
})

const grants = { scopes: ['tasks:read'], surfaces: ['http'], ipAllowlist: ['192.0.2.0/24', '2001:db8::1'] }
const ends = { rotationPolicy: { maxAgeDays: 90 }, expiresAt: '2027-03-01T08:15:00.000Z' }
const about = { name: 'Import', description: null, ownerId: null, toolNames: 'auto' }
const stored = { ...about, ...grants, ...ends, rateLimit: { perMinute: 60, burst: 10 } } as unknown as ApiKey
const changed = (change: Partial<KeyForm>) => {
  const form = keyFormOf(stored)
  return patchBetween(keyInputOf(form, nowMs), keyInputOf({ ...form, ...change }, nowMs))
}

test.each<[string, Partial<KeyForm>, object]>([
  // Not even the time of day at which it expires.
  ['nothing', {}, {}],
  ['a name', { name: ' Export ' }, { name: 'Export' }],
  ['no expiry', { expiry: 'never' }, { expiresAt: null }],
  ['another last day', { expiryDate: '2027-04-01' }, { expiresAt: '2027-04-01T23:59:59.000Z' }],
  ['no maximum age', { maxAge: '' }, { rotationPolicy: null }],
  ['no rate of its own', { perMinute: '', burst: '' }, { rateLimit: null }],
  ['names of tools of its own', { toolNames: 'dots' }, { toolNames: 'dots' }],
  ['MCP as well', { mcp: true }, { surfaces: ['http', 'mcp'] }],
])('a key that is given %s is sent that alone', (_what, change, patch) => {
  expect(changed(change)).toEqual(patch)
})

test('a rule that a key broke before keeps nobody from changing another field', () => {
  const policy = { requireExpiry: true, requireIpAllowlist: true } as ApiPolicy
  const before = { ...keyFormOf(stored), ipAllowlist: '', expiry: 'never' as const }
  const mistakes = (change: Partial<KeyForm>, from = before) => {
    const after = { ...before, ...change }
    return Object.keys(keyMistakes(after, rulesOfChanged(policy, from, after), nowMs))
  }

  expect(mistakes({ name: 'x' })).toEqual([])
  expect(mistakes({}, keyFormOf(stored) as typeof before)).toEqual(['expiry', 'ipAllowlist'])
})

/** Only what the filters look at. */
const keyWith = (change: Partial<ApiKey>): ApiKey => {
  const shown = { name: 'CRM import', prefix: 'wsk_abc', scopes: ['tasks:read'], status: 'active' }
  const times = { expiresAt: daysFrom(9), lastUsedAt: daysFrom(-1), createdAt: daysFrom(-200), rotateBy: null }
  return { ...shown, ...times, ipAllowlist: ['::1'], ...change } as ApiKey
}

test.each([
  ['neverExpires', { expiresAt: null }, { expiresAt: daysFrom(1) }],
  ['noIpAllowlist', { ipAllowlist: [] }, { ipAllowlist: ['::1'] }],
  ['idle', { lastUsedAt: daysFrom(-91) }, { lastUsedAt: daysFrom(-89) }],
  ['idle', { lastUsedAt: null, createdAt: daysFrom(-91) }, { lastUsedAt: null, createdAt: daysFrom(-89) }],
  ['rotationDue', { rotateBy: daysFrom(13) }, { rotateBy: daysFrom(15) }],
] as const)('the risk %s is carried by %j, and not by %j', (risk, risky, sound) => {
  expect(hasRisk(keyWith(risky as Partial<ApiKey>), risk, nowMs)).toBe(true)
  expect(hasRisk(keyWith(sound as Partial<ApiKey>), risk, nowMs)).toBe(false)
})

test('each risk has a name of its own, and a key that no call can be made with carries none', () => {
  const all = ['active', 'rotation_due', 'expired', 'revoked'] as const
  const ended = all.filter((status) => !isUsable(keyWith({ status })))

  expect(new Set(riskNames.map(nameOfRisk)).size).toBe(4)
  expect(ended).toEqual(['expired', 'revoked'])
  expect(ended.filter((status) => hasRisk(keyWith({ status, expiresAt: null }), 'neverExpires', nowMs))).toEqual([])
})

test.each([
  [{}, ['CRM import', 'Backup']],
  [{ q: 'crm' }, ['CRM import']],
  [{ q: ' WSK_B ' }, ['Backup']],
  [{ q: 'documents:' }, ['Backup']],
  [{ status: 'revoked' }, ['Backup']],
  [{ risk: 'neverExpires' }, ['CRM import']],
  [{ q: 'import', status: 'revoked' }, []],
] as const)('the filter %j leaves %j', (search, names) => {
  const keys = [
    keyWith({ name: 'CRM import', prefix: 'wsk_a', expiresAt: null }),
    keyWith({ name: 'Backup', prefix: 'wsk_b', scopes: ['documents:read'], status: 'revoked', expiresAt: null }),
  ]

  expect(fittingKeys(keys, search, nowMs).map(({ name }) => name)).toEqual(names)
})

test('of an address only filters with values that they can have are read', () => {
  expect(keySearch({ q: 'crm', status: 'active', risk: 'idle' })).toEqual({ q: 'crm', status: 'active', risk: 'idle' })
  expect(keySearch({ q: '', status: 'gone', risk: 'toString', other: '1' })).toEqual({})
})

test('the matrix has each scope once', () => {
  const cells = words.matrix.flatMap((row) => Object.values(row.cells))
  const ofKeys = words.matrix.find(({ segment }) => segment === 'api-keys')

  expect(cells.toSorted()).toEqual([...scopes].toSorted())
  expect(ofKeys?.cells).toEqual({ read: 'api-keys:read', write: 'api-keys:write', more: 'api-keys:rotate-self' })
})

test('scopes in words', () => {
  const names = {
    'crm-entities': 'CRM entities',
    'api-keys': 'API keys',
    'audit-entries': 'Audit log',
    requests: 'API log',
  }
  const summary = ['Tasks: read, write', 'CRM entities: read']

  expect(Object.keys(names).map(words.segmentName)).toEqual(Object.values(names))
  expect(words.segmentName('projects')).toBe('Projects')
  expect(words.accessName('api-keys:rotate-self')).toBe('Rotate itself')
  expect(words.accessName('deliveries:replay')).toBe('Resend')
  expect(words.accessName('files:release')).toBe('Release')
  expect(words.summaryOf(['tasks:read', 'tasks:write', 'crm-entities:read'])).toEqual(summary)
})

test('what an access includes is held, and is not taken for chosen', () => {
  const held = new Set(['tasks:delete'])

  expect(words.isImplied(held, 'tasks:read')).toBe(true)
  expect(words.isImplied(held, 'tasks:write')).toBe(false)
  expect(words.isImplied(held, 'tasks:delete')).toBe(false)
  expect([words.canDelete(held), words.canDelete(new Set(['tasks:write']))]).toEqual([true, false])
})

test('each scope that is held is a sentence, in the order of the contract', () => {
  const said = words.sentences(new Set(['tasks:read', 'projects:read', 'no:scope']))

  expect(said).toEqual([expect.stringMatching(/project/i), expect.stringMatching(/task/i)])
})
