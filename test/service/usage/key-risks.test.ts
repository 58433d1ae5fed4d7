import { expect, test } from 'vitest'
import type { ApiKey } from '#contract/api-keys.ts'
import { keyRisks } from '../../../service/usage/key-risks.ts'

const now = new Date('2026-11-22T12:00:00.000Z')
const daysFromNow = (days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString()

/** Without a risk. */
const safe = {
  ...{ status: 'active', ipAllowlist: ['192.0.2.1'], expiresAt: daysFromNow(100), rotateBy: daysFromNow(15) },
  ...{ createdAt: daysFromNow(-200), lastUsedAt: daysFromNow(-89) },
} as unknown as ApiKey
const keyWith = (more: Partial<ApiKey>): ApiKey => ({ ...safe, ...more })
const none = { active: 1, neverExpires: 0, noIpAllowlist: 0, idle: 0, rotationDue: 0 }

test.each([
  ['without a risk', {}, none],
  ['that never expires', { expiresAt: null }, { ...none, neverExpires: 1 }],
  ['usable from any address', { ipAllowlist: [] }, { ...none, noIpAllowlist: 1 }],
  ['idle for 90 days', { lastUsedAt: daysFromNow(-91) }, { ...none, idle: 1 }],
  ['that was never used, and made long ago', { lastUsedAt: null }, { ...none, idle: 1 }],
  ['that was never used, and made of late', { lastUsedAt: null, createdAt: daysFromNow(-1) }, none],
  ['due in 14 days', { rotateBy: daysFromNow(14) }, { ...none, rotationDue: 1 }],
  ['overdue', { rotateBy: daysFromNow(-1), status: 'rotation_due' as const }, { ...none, rotationDue: 1 }],
  ['without an age', { rotateBy: null }, none],
  ['revoked', { status: 'revoked' as const, expiresAt: null, ipAllowlist: [] }, { ...none, active: 0 }],
  ['expired', { status: 'expired' as const, ipAllowlist: [] }, { ...none, active: 0 }],
])('a key %s', (_what, more, expected) => {
  expect(keyRisks([keyWith(more)], now)).toEqual(expected)
})
