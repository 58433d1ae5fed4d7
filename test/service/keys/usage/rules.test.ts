// Percentiles of a histogram, against one that writes every value out and sorts them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApiKey } from '#contract/api-keys.ts'
import { latencyBoundsMs, latencyBucketsCount } from '#contract/internal/reports.ts'
import { added, answeredCounts, noTallies, percentileOf, keyRisks } from '../../../../service/keys/usage/rules.ts'

const size = { minLength: latencyBucketsCount, maxLength: latencyBucketsCount }
const counts = fc.array(fc.integer({ min: 0, max: 40 }), size)
const percent = fc.integer({ min: 1, max: 100 })

/** Every value of every bucket, evenly between its bounds; then the one of nearest rank. */
function writtenOut(tallies: readonly number[], percentile: number): number | null {
  const values = tallies.flatMap((count, n) => {
    const lower = n === 0 ? 0 : latencyBoundsMs[n - 1]!
    const upper = n === latencyBoundsMs.length ? lower : latencyBoundsMs[n]!
    return Array.from({ length: count }, (_, place) => lower + ((upper - lower) * (place + 1)) / count)
  })
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length * percentile) / 100) - 1] ?? null
}

test('a percentile is the value of nearest rank, had all values been written out', () => {
  fc.assert(
    fc.property(counts, percent, (tallies, percentile) => {
      const expected = writtenOut(tallies, percentile)
      const given = percentileOf(tallies, percentile)
      if (expected === null) return given === null
      return given !== null && Math.abs(given - expected) < 0.051
    }),
  )
})

test('nothing counted has no percentiles, and what is longer than the last bound counts as that', () => {
  expect(answeredCounts(noTallies)).toMatchObject({ requests: 0, p50Ms: null, p95Ms: null, p99Ms: null })
  const slow = noTallies.latency.map((_, n) => (n === latencyBoundsMs.length ? 7 : 0))
  expect(percentileOf(slow, 50)).toBe(latencyBoundsMs.at(-1))
})

test('tallies are added place by place', () => {
  const one = { statuses: [1, 2, 3, 4, 5], latency: noTallies.latency.map((_, n) => n) }

  const statuses = { status2xx: 2, status3xx: 4, status4xx: 6, status429: 8, status5xx: 10 }
  expect(answeredCounts(added(one, one))).toMatchObject({ requests: 30, ...statuses })
  expect(added(one, one).latency[3]).toBe(6)
})

const now = new Date('2026-11-22T12:00:00.000Z')
const daysFromNow = (days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString()

/** Without a risk. */
const safe = {
  status: 'active',
  ipAllowlist: ['192.0.2.1'],
  expiresAt: daysFromNow(100),
  rotateBy: daysFromNow(15),
  createdAt: daysFromNow(-200),
  lastUsedAt: daysFromNow(-89),
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
