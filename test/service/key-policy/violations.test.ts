// A key against the policies of its workspaces: which rule refuses it, and from when.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policyRules, type ApiPolicy, type PolicyRule } from '#contract/key-policy.ts'
import {
  newlyBroken,
  refusedEverywhere,
  rotateBy,
  violationsOf,
  type Judged,
  type Policy,
} from '../../../service/key-policy/violations.ts'
import { openPolicy, policyAfter, sinceEver } from '../../../service/key-policy/change-policy.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const now = new Date('2026-06-01T00:00:00.000Z')
const after = (ms: number): Date => new Date(now.getTime() + ms)
const since = (apiPolicy: Partial<ApiPolicy>): Policy => ({
  apiPolicy: { ...openPolicy, allowUnboundKeys: true, ...apiPolicy },
  apiPolicyFrom: sinceEver,
})
const old: Judged = {
  ...{ bound: true, ipAllowlist: [], expiresAt: null },
  ...{ createdAt: after(-40 * dayMs), secretCreatedAt: after(-40 * dayMs) },
}
const refusing = (key: Judged, policy: Policy, at: Date): PolicyRule[] =>
  violationsOf(key, policy).flatMap(({ rule, refusedFrom }) => (refusedFrom <= at ? [rule] : []))

test.each<[PolicyRule, Partial<ApiPolicy>, Partial<Judged>, Partial<Judged>]>([
  ['allowUnboundKeys', { allowUnboundKeys: false }, { bound: false }, { bound: true }],
  ['requireIpAllowlist', { requireIpAllowlist: true }, {}, { ipAllowlist: ['10.0.0.0/8'] }],
  ['requireExpiry', { requireExpiry: true }, {}, { expiresAt: after(dayMs) }],
  ['maxKeyAgeDays', { maxKeyAgeDays: 30 }, {}, { secretCreatedAt: after(-30 * dayMs + 1) }],
])('%s refuses the keys that break it and no others', (rule, policy, breaks, complies) => {
  expect(refusing({ ...old, ...breaks }, since(policy), now)).toEqual([rule])
  expect(refusing({ ...old, ...complies }, since(policy), now)).toEqual([])
})

test('a tightened rule with grace refuses from its end on; loosened, at no time', () => {
  const tight = policyAfter(since({}), { requireExpiry: true }, 48, now)
  expect(refusing(old, tight, after(48 * hourMs - 1))).toEqual([])
  expect(refusing(old, tight, after(48 * hourMs))).toEqual(['requireExpiry'])
  expect(refusing(old, policyAfter(tight, { requireExpiry: false }, undefined, after(hourMs)), after(dayMs))).toEqual(
    [],
  )
})

test('during its grace a tightened age leaves old secrets the age before, and new ones none', () => {
  const tight = policyAfter(since({ maxKeyAgeDays: 41 }), { maxKeyAgeDays: 1 }, 5 * 24, now)
  const madeMeanwhile = { ...old, secretCreatedAt: after(hourMs) }
  const [first] = violationsOf(old, tight)
  expect(first).toEqual({ rule: 'maxKeyAgeDays', brokenAt: after(-39 * dayMs), refusedFrom: after(dayMs) })
  expect(violationsOf(madeMeanwhile, tight)[0]?.refusedFrom).toEqual(after(hourMs + dayMs))
  const lax = policyAfter(since({ maxKeyAgeDays: 90 }), { maxKeyAgeDays: 1 }, 5 * 24, now)
  expect(violationsOf(old, lax)[0]?.refusedFrom).toEqual(after(5 * dayMs))
})

test('grace that runs goes on until it is given anew', () => {
  const tight = policyAfter(since({}), { requireExpiry: true, maxKeyAgeDays: 10 }, 48, now)
  const again = { requireExpiry: true, maxKeyAgeDays: 10 }
  expect(policyAfter(tight, again, undefined, after(hourMs))).toEqual(tight)
  expect(policyAfter(tight, { requireIpAllowlist: true }, 1, after(hourMs)).apiPolicyFrom).toMatchObject({
    requireExpiry: after(48 * hourMs).toISOString(),
    requireIpAllowlist: after(2 * hourMs).toISOString(),
  })
  expect(refusing(old, policyAfter(tight, again, 0, after(hourMs)), after(hourMs))).toEqual([
    'requireExpiry',
    'maxKeyAgeDays',
  ])
  expect(policyAfter(tight, again, 72, after(49 * hourMs))).toEqual(tight)
})

const policies: fc.Arbitrary<ApiPolicy> = fc.record({
  maxKeyAgeDays: fc.option(fc.integer({ min: 1, max: 365 })),
  requireIpAllowlist: fc.boolean(),
  requireExpiry: fc.boolean(),
  allowUnboundKeys: fc.boolean(),
})
const ages = fc.integer({ min: 1, max: 400 * 24 }).map((hours) => after(-hours * hourMs))
const keys: fc.Arbitrary<Judged> = fc.record({
  bound: fc.boolean(),
  ipAllowlist: fc.constantFrom([], ['10.0.0.0/8']),
  expiresAt: fc.constantFrom(null, after(1_000 * dayMs)),
  createdAt: ages,
  secretCreatedAt: ages,
})

test('until the grace is over a key is refused for what both policies forbid, from then on for what the new one does', () => {
  const graces = fc.integer({ min: 0, max: 2_160 })
  fc.assert(
    fc.property(policies, policies, keys, graces, graces, (before, asked, key, graceHours, laterHours) => {
      const changed = policyAfter(since(before), asked, graceHours, now)
      const at = after(laterHours * hourMs)
      const byNew = refusing(key, since(asked), at)
      const byOld = refusing(key, since(before), at)
      const expected = laterHours < graceHours ? byNew.filter((rule) => byOld.includes(rule)) : byNew

      expect(refusing(key, changed, at)).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

test('what loosens a policy refuses nobody who was not refused before, whatever grace there was', () => {
  const hours = fc.integer({ min: 0, max: 2_160 })
  fc.assert(
    fc.property(policies, policies, keys, hours, hours, hours, (first, second, key, grace, gap, later) => {
      const before = policyAfter(since(first), second, grace, now)
      const moment = after(gap * hourMs)
      const rule = policyRules[later % policyRules.length] ?? 'requireExpiry'
      const loosened = policyAfter(before, { [rule]: openFor(rule) }, undefined, moment)
      const at = new Date(moment.getTime() + later * hourMs)

      expect(refusing(key, loosened, at)).toEqual(refusing(key, before, at).filter((each) => each !== rule))
    }),
    { numRuns: 500 },
  )
})

const openFor = (rule: PolicyRule) => ({ ...openPolicy, allowUnboundKeys: true })[rule]

test('a change of a key may leave broken what was broken, and break nothing else', () => {
  const strict = since({ requireExpiry: true, requireIpAllowlist: true })
  const listed = { ...old, ipAllowlist: ['10.0.0.0/8'] }
  expect(newlyBroken(old, old, strict)).toEqual([])
  expect(newlyBroken(old, listed, strict)).toEqual([])
  expect(newlyBroken(listed, old, strict)).toEqual(['requireIpAllowlist'])
})

test('a key is of no use where each of its workspaces refuses it for more than the age of its secret', () => {
  const [strict, aged, lax] = [since({ requireExpiry: true }), since({ maxKeyAgeDays: 1 }), since({})]
  expect(refusedEverywhere(old, [strict, strict], now)).toBe('requireExpiry')
  expect(refusedEverywhere(old, [strict, lax], now)).toBeNull()
  expect(refusedEverywhere(old, [aged], now)).toBeNull()
  expect(refusedEverywhere(old, [policyAfter(lax, { requireExpiry: true }, 1, now)], now)).toBeNull()
  expect(refusedEverywhere(old, [], now)).toBeNull()
})

test('the day of rotation is the earliest that key or workspaces name, counted from the secret', () => {
  const key = { ...old, secretCreatedAt: now }
  expect(rotateBy(key, null, [since({})])).toBeNull()
  expect(rotateBy(key, 3, [since({})])).toEqual(after(3 * dayMs))
  expect(rotateBy(key, 3, [since({ maxKeyAgeDays: 2 }), since({ maxKeyAgeDays: 9 })])).toEqual(after(2 * dayMs))
  expect(rotateBy(key, null, [since({ maxKeyAgeDays: 9 })])).toEqual(after(9 * dayMs))
})
