// What decides whether a replica may serve a read, without a database.
import { describe, expect, test } from 'vitest'
import { behindMaxMs, hasAll, lagOf, stateOf } from '#prisma/replica.ts'

describe('a replica', () => {
  const primary = { identity: 'one', cluster: '7/1' }
  const replica = { ...primary, isReplica: true }

  test.each([
    ['usable', replica, 0],
    ['usable', replica, behindMaxMs],
    ['behind', replica, behindMaxMs + 1],
    ['promoted', { ...replica, isReplica: false }, 0],
    ['foreign', { ...replica, cluster: '8/1' }, 0],
    ['foreign', { ...replica, cluster: '7/2' }, 0],
    ['foreign', { ...replica, identity: 'two' }, 0],
    ['foreign', { ...replica, identity: null }, 0],
  ] as const)('is %s', (state, given, behindMs) => {
    expect(stateOf(primary, given, behindMs)).toBe(state)
  })

  const needed = { change: '812 7', written: 1_000n }
  const there = { isReplica: true, replayed: 1_000n, change: '812 7' }

  test('serves every read where it lacks nothing', () => {
    expect(hasAll(there, needed, false)).toBe(true)
    expect(hasAll({ ...there, change: null }, needed, false)).toBe(true)
  })

  test('that lacks something serves what is written under the workspace lock, where that change is there', () => {
    const behind = { ...there, replayed: 999n }

    expect(hasAll(behind, needed, true)).toBe(true)
    expect(hasAll(behind, needed, false)).toBe(false)
    expect(hasAll({ ...behind, change: '811 6' }, needed, true)).toBe(false)
    expect(hasAll({ ...behind, change: null, replayed: null }, needed, true)).toBe(false)
  })

  test('that was promoted serves none, and none serves a workspace that is not there', () => {
    expect(hasAll({ ...there, isReplica: false }, needed, true)).toBe(false)
    expect(hasAll(there, undefined, true)).toBe(false)
  })
})

describe('how far it is behind', () => {
  test('counts from when the primary had written what it lacks, and not at all on a primary that is idle', () => {
    const lag = lagOf()
    lag.note(1_000, 10n)
    expect(lag.behindMs(1_001, 10n)).toBe(0)
    for (const at of [1_500, 2_000, 90_000]) lag.note(at, 10n)
    expect(lag.behindMs(90_000, 10n)).toBe(0)

    lag.note(91_000, 20n)
    lag.note(92_000, 30n)
    expect(lag.behindMs(92_000, 15n)).toBe(1_000)
    expect(lag.behindMs(93_000, 20n)).toBe(1_000)
    expect(lag.behindMs(94_000, null)).toBe(2_000)
    expect(lag.behindMs(95_000, 30n)).toBe(0)
  })

  test('is known of a replica that has stood still for long, and remembered in a bounded space', () => {
    const lag = lagOf()
    for (let n = 1; n <= 10_000; n++) lag.note(n * 500, BigInt(n))

    expect(lag.behindMs(5_000_000, 0n)).toBe(5_000_000 - 500)
    const halfWay = lag.behindMs(5_000_000, 5_000n)
    expect(halfWay).toBeGreaterThanOrEqual(2_499_500)
    expect(halfWay).toBeLessThan(5_000_000)
    expect(lag.behindMs(5_000_000, 10_000n)).toBe(0)
  })
})
