// Which keys there may be: their status and presets, their own limit against the plans of their workspaces, and which
// rule of the workspaces’ policies refuses one, from when.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ApiPolicy, type PolicyRule, policyRules } from '#contract/key-policy.ts'
import { type PresetName, presetNamed } from '#contract/key-preset.ts'
import { type RateLimit, defaultRates } from '#contract/rate-limits.ts'
import { scopes } from '#contract/scopes.ts'
import { assertNotPast, scopesOf, statusOf } from '../../../service/keys/api-keys/rules.ts'
import * as rules from '../../../service/keys/key-policy/rules.ts'
import type { CheckedKey, NamedKey, Policy } from '../../../service/keys/key-policy/rules.ts'
import { assertWithinPlan } from '../../../service/keys/rate-limits/rules.ts'
import { errorsOf, faultOf } from '../../support/faults.ts'

const { changePolicy, defaultPolicy, newlyViolated, noGrace, violationsOf } = rules
const { refusedEverywhere, rotateBy, stoppedKey } = rules
const now = new Date('2026-06-01T00:00:00.000Z')
const past = new Date('2026-05-31T23:59:59.999Z')
const future = new Date('2026-06-01T00:00:00.001Z')
const lasting = { revokedAt: null, expiresAt: null, rotateBy: null, isSuspended: false }

test.each([
  ['revoked before expired', { revokedAt: past, expiresAt: past, rotateBy: past }, 'revoked'],
  ['expired before rotation_due', { expiresAt: past, rotateBy: past }, 'expired'],
  ['expired before suspended', { expiresAt: past, rotateBy: past, isSuspended: true }, 'expired'],
  ['suspended before rotation_due', { rotateBy: past, isSuspended: true }, 'suspended'],
  ['active until then', { expiresAt: future, rotateBy: future }, 'active'],
  ['expired from the moment that it is reached', { expiresAt: now }, 'expired'],
  ['rotation_due from the moment that it is reached', { rotateBy: now }, 'rotation_due'],
])('the status is %s', (_rule, more, status) => {
  expect(statusOf({ ...lasting, ...more }, now)).toBe(status)
})

test('an expiry must lie in the future', () => {
  const errors = [{ pointer: '/expiresAt', code: 'too_small', detail: 'Lies in the past.' }]

  for (const expiresAt of [past, now]) expect(errorsOf(() => assertNotPast(expiresAt, now))).toEqual(errors)
  for (const expiresAt of [future, null]) expect(() => assertNotPast(expiresAt, now)).not.toThrow()
})

test.each<[PresetName, string[]]>([
  ['read-only', ['read']],
  ['agent', ['read', 'write']],
  ['webhooks', ['read', 'write', 'replay']],
  ['sync', ['read', 'write', 'delete', 'rotate-self']],
])('the preset %s names existing scopes, each once, with access of these kinds alone: %j', (preset, accesses) => {
  const given = scopesOf({ preset })

  expect(given).toEqual(presetNamed(preset).scopes)
  expect(scopes).toEqual(expect.arrayContaining(given))
  expect(new Set(given).size).toBe(given.length)
  expect(new Set(given.map((each) => each.split(':')[1]))).toEqual(new Set(accesses))
  const writing = given.filter((each) => each.endsWith(':write'))
  if (preset === 'webhooks') expect(writing).toEqual(['webhooks:write'])
  expect(given.filter((each) => each.startsWith('files:')).map((each) => each.split(':')[1])).toEqual(
    accesses.filter((access) => (preset === 'webhooks' ? ['read'] : ['read', 'write', 'delete']).includes(access)),
  )
  expect(given.filter((each) => each.startsWith('jobs:'))).toEqual(preset === 'sync' ? ['jobs:read', 'jobs:write'] : [])
  const other = preset === 'webhooks' ? /^(?:audit-entries|requests):/ : /^(?:audit-entries|requests|webhooks):/
  expect(given.filter((each) => other.test(each))).toEqual([])
})

const limit = (perMinute: number, burst: number): RateLimit => ({ perMinute, burst })
const { workspace } = defaultRates

test.each<[string, RateLimit | null | undefined, (RateLimit | null)[], string[] | undefined]>([
  ['none', null, [limit(1, 1)], undefined],
  ['one as large as the plan', limit(10, 5), [limit(10, 5)], undefined],
  ['one above both numbers', limit(11, 6), [limit(10, 5)], ['/rateLimit/perMinute', '/rateLimit/burst']],
  ['one above what all workspaces have', limit(workspace.perMinute + 1, 1), [null], ['/rateLimit/perMinute']],
  ['one within the largest of several plans', limit(20, 9), [limit(20, 5), limit(10, 9)], undefined],
  ['one above each of several plans', limit(20, 10), [limit(20, 5), limit(10, 9)], ['/rateLimit/burst']],
  ['one of a key that acts nowhere', limit(20, 10), [], undefined],
])('a limit of its own: %s', (_what, own, plans, refused) => {
  const fault = faultOf(() => assertWithinPlan(own, plans, defaultRates))

  expect(fault?.members.errors?.map(({ pointer }) => pointer)).toEqual(refused)
})

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const after = (ms: number): Date => new Date(now.getTime() + ms)
const since = (apiPolicy: Partial<ApiPolicy>): Policy => ({
  apiPolicy: { ...defaultPolicy, allowUnboundKeys: true, ...apiPolicy },
  apiPolicyFrom: noGrace,
})
const made = after(-40 * dayMs)
const old: CheckedKey = { bound: true, ipAllowlist: [], expiresAt: null, createdAt: made, secretCreatedAt: made }
const refusing = (key: CheckedKey, policy: Policy, at: Date): PolicyRule[] =>
  violationsOf(key, policy).flatMap(({ rule, refusedFrom }) => (refusedFrom <= at ? [rule] : []))

test.each<[PolicyRule, Partial<ApiPolicy>, Partial<CheckedKey>, Partial<CheckedKey>]>([
  ['allowUnboundKeys', { allowUnboundKeys: false }, { bound: false }, { bound: true }],
  ['requireIpAllowlist', { requireIpAllowlist: true }, {}, { ipAllowlist: ['10.0.0.0/8'] }],
  ['requireExpiry', { requireExpiry: true }, {}, { expiresAt: after(dayMs) }],
  ['maxKeyAgeDays', { maxKeyAgeDays: 30 }, {}, { secretCreatedAt: after(-30 * dayMs + 1) }],
])('%s refuses the keys that violate it and no others', (rule, policy, breaks, complies) => {
  expect(refusing({ ...old, ...breaks }, since(policy), now)).toEqual([rule])
  expect(refusing({ ...old, ...complies }, since(policy), now)).toEqual([])
})

test('while the grace of a lowered maximum age runs, the former age applies to older secrets and the new one to new secrets', () => {
  const tight = changePolicy(since({ maxKeyAgeDays: 41 }), { maxKeyAgeDays: 1 }, 5 * 24, now)
  const madeMeanwhile = { ...old, secretCreatedAt: after(hourMs) }
  const [first] = violationsOf(old, tight)
  expect(first).toEqual({ rule: 'maxKeyAgeDays', violatedFrom: after(-39 * dayMs), refusedFrom: after(dayMs) })
  expect(violationsOf(madeMeanwhile, tight)[0]?.refusedFrom).toEqual(after(hourMs + dayMs))
  const lax = changePolicy(since({ maxKeyAgeDays: 90 }), { maxKeyAgeDays: 1 }, 5 * 24, now)
  expect(violationsOf(old, lax)[0]?.refusedFrom).toEqual(after(5 * dayMs))
})

test('a grace that runs is kept until a new one is given', () => {
  const tight = changePolicy(since({}), { requireExpiry: true, maxKeyAgeDays: 10 }, 48, now)
  const again = { requireExpiry: true, maxKeyAgeDays: 10 }
  expect(changePolicy(tight, again, undefined, after(hourMs))).toEqual(tight)
  expect(changePolicy(tight, { requireIpAllowlist: true }, 1, after(hourMs)).apiPolicyFrom).toMatchObject({
    requireExpiry: after(48 * hourMs).toISOString(),
    requireIpAllowlist: after(2 * hourMs).toISOString(),
  })
  const atOnce = changePolicy(tight, again, 0, after(hourMs))
  expect(refusing(old, atOnce, after(hourMs))).toEqual(['requireExpiry', 'maxKeyAgeDays'])
  expect(changePolicy(tight, again, 72, after(49 * hourMs))).toEqual(tight)
})

const policies: fc.Arbitrary<ApiPolicy> = fc.record({
  maxKeyAgeDays: fc.option(fc.integer({ min: 1, max: 365 })),
  requireIpAllowlist: fc.boolean(),
  requireExpiry: fc.boolean(),
  allowUnboundKeys: fc.boolean(),
})
const ages = fc.integer({ min: 1, max: 400 * 24 }).map((hours) => after(-hours * hourMs))
const keys: fc.Arbitrary<CheckedKey> = fc.record({
  bound: fc.boolean(),
  ipAllowlist: fc.constantFrom([], ['10.0.0.0/8']),
  expiresAt: fc.constantFrom(null, after(1_000 * dayMs)),
  createdAt: ages,
  secretCreatedAt: ages,
})

test('during the grace a key is refused for what both policies forbid, afterwards for what the new one forbids', () => {
  const graces = fc.integer({ min: 0, max: 2_160 })
  fc.assert(
    fc.property(policies, policies, keys, graces, graces, (before, asked, key, graceHours, laterHours) => {
      const changed = changePolicy(since(before), asked, graceHours, now)
      const at = after(laterHours * hourMs)
      const byNew = refusing(key, since(asked), at)
      const byOld = refusing(key, since(before), at)
      const expected = laterHours < graceHours ? byNew.filter((rule) => byOld.includes(rule)) : byNew

      expect(refusing(key, changed, at)).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

test('a loosened policy refuses no key that was accepted before, whatever grace there was', () => {
  const hours = fc.integer({ min: 0, max: 2_160 })
  fc.assert(
    fc.property(policies, policies, keys, hours, hours, hours, (first, second, key, grace, gap, later) => {
      const before = changePolicy(since(first), second, grace, now)
      const moment = after(gap * hourMs)
      const rule = policyRules[later % policyRules.length] ?? 'requireExpiry'
      const loosened = changePolicy(before, { [rule]: openFor(rule) }, undefined, moment)
      const at = new Date(moment.getTime() + later * hourMs)

      expect(refusing(key, loosened, at)).toEqual(refusing(key, before, at).filter((each) => each !== rule))
    }),
    { numRuns: 500 },
  )
})

const openFor = (rule: PolicyRule) => ({ ...defaultPolicy, allowUnboundKeys: true })[rule]

test('an update of a key may leave a violated rule violated, and may violate no other', () => {
  const strict = since({ requireExpiry: true, requireIpAllowlist: true })
  const listed = { ...old, ipAllowlist: ['10.0.0.0/8'] }
  expect(newlyViolated(old, old, strict)).toEqual([])
  expect(newlyViolated(old, listed, strict)).toEqual([])
  expect(newlyViolated(listed, old, strict)).toEqual(['requireIpAllowlist'])
})

test('a key is refused everywhere when each of its workspaces refuses it for more than the age of its secret', () => {
  const [strict, aged, lax] = [since({ requireExpiry: true }), since({ maxKeyAgeDays: 1 }), since({})]
  const soon = changePolicy(lax, { requireExpiry: true }, 1, now)

  expect(refusedEverywhere(old, [strict, strict], now)).toBe('requireExpiry')
  for (const policies of [[strict, lax], [aged], [soon], []]) expect(refusedEverywhere(old, policies, now)).toBeNull()
})

test('a secret is due for rotation at the earliest time that the key or a workspace sets, counted from its creation', () => {
  const key = { ...old, secretCreatedAt: now }
  expect(rotateBy(key, null, [since({})])).toBeNull()
  expect(rotateBy(key, 3, [since({})])).toEqual(after(3 * dayMs))
  expect(rotateBy(key, 3, [since({ maxKeyAgeDays: 2 }), since({ maxKeyAgeDays: 9 })])).toEqual(after(2 * dayMs))
  expect(rotateBy(key, null, [since({ maxKeyAgeDays: 9 })])).toEqual(after(9 * dayMs))
})

// What a change of the policy means for one key.

const lax: Policy = { apiPolicy: defaultPolicy, apiPolicyFrom: noGrace }
const key: NamedKey = { id: 'k', name: 'Import', ...old }
const ofChange = (before: Policy, changed: Policy, graceHours: number) =>
  stoppedKey(key, { before, after: changed, now, graceOver: after(graceHours * hourMs) })

test('a key is stopped by the rules that it breaks, from the end of the grace on', () => {
  const tight = changePolicy(lax, { requireExpiry: true, maxKeyAgeDays: 30 }, 48, now)
  const from = after(48 * hourMs).toISOString()

  const rules = [
    { rule: 'requireExpiry', code: 'key_expiry_required', from },
    { rule: 'maxKeyAgeDays', code: 'api_key_rotation_required', from },
  ]
  expect(ofChange(lax, tight, 48)).toEqual({ id: 'k', name: 'Import', refused: false, from, rules })
})

test('the first of its rules says from when, and one that held before the change says that it is refused already', () => {
  const earlier = changePolicy(lax, { requireExpiry: true }, 0, after(-dayMs))
  const tight = changePolicy(earlier, { requireIpAllowlist: true }, 48, now)
  const atOnce = changePolicy(lax, { requireExpiry: true }, 0, now)

  expect(ofChange(earlier, tight, 48)).toMatchObject({
    refused: true,
    from: after(-dayMs).toISOString(),
    rules: [{ rule: 'requireIpAllowlist', from: after(48 * hourMs).toISOString() }, { rule: 'requireExpiry' }],
  })
  expect(ofChange(lax, atOnce, 0)).toMatchObject({ refused: false, from: now.toISOString() })
  expect(ofChange(atOnce, atOnce, 0)).toMatchObject({ refused: true })
})

test('a key that complies, and one that grows too old only after the grace, go on', () => {
  expect(ofChange(lax, changePolicy(lax, { allowUnboundKeys: false }, 0, now), 0)).toBeNull()
  expect(ofChange(lax, changePolicy(lax, { maxKeyAgeDays: 41 }, 12, now), 12)).toBeNull()
  expect(ofChange(lax, changePolicy(lax, { maxKeyAgeDays: 41 }, 24, now), 24)).not.toBeNull()
})
