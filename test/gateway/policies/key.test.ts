// The one deadline of a key's record, against the checks that it stands for: each asked by itself, at every moment.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import type { PolicyRule } from '#contract/key-policy.ts'
import { keyFrom } from '../../../gateway/keys/key.ts'
import { at, dayMs, now } from '../support/checks.ts'
import { recordOf, workspaceA } from '../support/service.ts'

const moment = fc.integer({ min: -20, max: 20 }).map((days) => days * dayMs)
const timestamp = moment.map(at)
const refusal = fc.record({ rule: fc.constant<PolicyRule>('maxKeyAgeDays'), from: timestamp })
const records = fc.record({
  bound: fc.boolean(),
  workspaces: fc.array(refusal, { maxLength: 3 }).map((refusals) => [{ id: workspaceA, suspended: false, refusals }]),
  expiresAt: fc.option(timestamp),
  revokedAt: fc.option(timestamp, { freq: 6 }),
  maxAgeDays: fc.option(fc.integer({ min: 1, max: 30 })),
  secret: fc.record({ createdAt: timestamp, expiresAt: fc.option(timestamp) }),
})

test('a key is before its deadline exactly while nothing has ended', () => {
  fc.assert(
    fc.property(records, moment, (generated, after) => {
      const record = { ...recordOf(), ...generated }

      expect(now + after < keyFrom(record).deadline).toBe(!hasEnded(record, new Date(now + after)))
    }),
    { numRuns: 1_000 },
  )
})

function hasEnded({ bound, workspaces, expiresAt, revokedAt, maxAgeDays, secret }: KeyRecord, at: Date): boolean {
  const isOver = (timestamp: string | null): boolean => timestamp !== null && new Date(timestamp) <= at
  const days = (at.getTime() - Date.parse(secret.createdAt)) / dayMs
  return [
    revokedAt !== null,
    isOver(expiresAt),
    isOver(secret.expiresAt),
    maxAgeDays !== null && days >= maxAgeDays,
    bound && workspaces.some(({ refusals }) => refusals.some(({ from }) => isOver(from))),
  ].includes(true)
}
