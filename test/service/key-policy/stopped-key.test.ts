// What a change of the policy means for one key.
import { expect, test } from 'vitest'
import { changePolicy, defaultPolicy, noGrace } from '../../../service/key-policy/change-policy.ts'
import { stoppedKey, type NamedKey } from '../../../service/key-policy/stopped-key.ts'
import type { Policy } from '../../../service/key-policy/violations.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const now = new Date('2026-06-01T00:00:00.000Z')
const after = (ms: number): Date => new Date(now.getTime() + ms)
const lax: Policy = { apiPolicy: defaultPolicy, apiPolicyFrom: noGrace }
const key: NamedKey = {
  ...{ id: 'k', name: 'Import', bound: true, ipAllowlist: [], expiresAt: null },
  ...{ createdAt: after(-40 * dayMs), secretCreatedAt: after(-40 * dayMs) },
}
const ofChange = (before: Policy, changed: Policy, graceHours: number) =>
  stoppedKey(key, { before, after: changed, now, graceOver: after(graceHours * hourMs) })

test('a key is stopped by the rules that it breaks, from the end of the grace on', () => {
  const tight = changePolicy(lax, { requireExpiry: true, maxKeyAgeDays: 30 }, 48, now)

  expect(ofChange(lax, tight, 48)).toEqual({
    ...{ id: 'k', name: 'Import', refused: false, from: after(48 * hourMs).toISOString() },
    rules: [
      { rule: 'requireExpiry', code: 'key_expiry_required', from: after(48 * hourMs).toISOString() },
      { rule: 'maxKeyAgeDays', code: 'api_key_rotation_required', from: after(48 * hourMs).toISOString() },
    ],
  })
})

test('the first of its rules says from when, and one that held before says that it is refused already', () => {
  const earlier = changePolicy(lax, { requireExpiry: true }, 0, after(-dayMs))
  const tight = changePolicy(earlier, { requireIpAllowlist: true }, 48, now)

  expect(ofChange(earlier, tight, 48)).toMatchObject({
    ...{ refused: true, from: after(-dayMs).toISOString() },
    rules: [{ rule: 'requireIpAllowlist', from: after(48 * hourMs).toISOString() }, { rule: 'requireExpiry' }],
  })
})

test('a change without a grace refuses from now on, which is not already', () => {
  const tight = changePolicy(lax, { requireExpiry: true }, 0, now)

  expect(ofChange(lax, tight, 0)).toMatchObject({ refused: false, from: now.toISOString() })
  expect(ofChange(tight, tight, 0)).toMatchObject({ refused: true })
})

test('a key that complies, and one that grows too old only after the grace, go on', () => {
  expect(ofChange(lax, changePolicy(lax, { allowUnboundKeys: false }, 0, now), 0)).toBeNull()
  expect(ofChange(lax, changePolicy(lax, { maxKeyAgeDays: 41 }, 12, now), 12)).toBeNull()
  expect(ofChange(lax, changePolicy(lax, { maxKeyAgeDays: 41 }, 24, now), 24)).not.toBeNull()
})
