// Which rule of its workspaces' policies refuses a key, and from when.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policyRules, type ApiPolicy, type PolicyRule } from '#contract/key-policy.ts'
import {
  newlyViolated,
  refusedEverywhere,
  rotateBy,
  violationsOf,
  defaultPolicy,
  changePolicy,
  noGrace,
  stoppedKey,
  type CheckedKey,
  type Policy,
  type NamedKey,
} from '../../../../service/keys/key-policy/rules.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const now = new Date('2026-06-01T00:00:00.000Z')
const after = (ms: number): Date => new Date(now.getTime() + ms)
const since = (apiPolicy: Partial<ApiPolicy>): Policy => ({
  apiPolicy: { ...defaultPolicy, allowUnboundKeys: true, ...apiPolicy },
  apiPolicyFrom: noGrace,
})
const old: CheckedKey = {
  bound: true,
  ipAllowlist: [],
  expiresAt: null,
  createdAt: after(-40 * dayMs),
  secretCreatedAt: after(-40 * dayMs),
}
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
  expect(refusing(old, changePolicy(tight, again, 0, after(hourMs)), after(hourMs))).toEqual([
    'requireExpiry',
    'maxKeyAgeDays',
  ])
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
  expect(refusedEverywhere(old, [strict, strict], now)).toBe('requireExpiry')
  expect(refusedEverywhere(old, [strict, lax], now)).toBeNull()
  expect(refusedEverywhere(old, [aged], now)).toBeNull()
  expect(refusedEverywhere(old, [changePolicy(lax, { requireExpiry: true }, 1, now)], now)).toBeNull()
  expect(refusedEverywhere(old, [], now)).toBeNull()
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

  expect(ofChange(lax, tight, 48)).toEqual({
    id: 'k',
    name: 'Import',
    refused: false,
    from,
    rules: [
      { rule: 'requireExpiry', code: 'key_expiry_required', from },
      { rule: 'maxKeyAgeDays', code: 'api_key_rotation_required', from },
    ],
  })
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
