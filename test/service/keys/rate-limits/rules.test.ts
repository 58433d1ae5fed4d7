// A key's own limit against the plans of its workspaces.
import { expect, test } from 'vitest'
import { defaultRates, type RateLimit } from '#contract/rate-limits.ts'
import { assertWithinPlan } from '../../../../service/keys/rate-limits/rules.ts'
import { faultOf } from '../../../support/faults.ts'

const limit = (perMinute: number, burst: number): RateLimit => ({ perMinute, burst })
const { workspace } = defaultRates

test.each<[string, RateLimit | null | undefined, (RateLimit | null)[], string[] | undefined]>([
  ['none', null, [limit(1, 1)], undefined],
  ['one that is not given', undefined, [limit(1, 1)], undefined],
  ['one as large as the plan', limit(10, 5), [limit(10, 5)], undefined],
  ['one above both numbers', limit(11, 6), [limit(10, 5)], ['/rateLimit/perMinute', '/rateLimit/burst']],
  ['one above what all workspaces have', limit(workspace.perMinute + 1, 1), [null], ['/rateLimit/perMinute']],
  ['one within the largest of several plans', limit(20, 9), [limit(20, 5), limit(10, 9)], undefined],
  ['one above each of several plans', limit(20, 10), [limit(20, 5), limit(10, 9)], ['/rateLimit/burst']],
  ['one of a key that acts nowhere', limit(20, 10), [], undefined],
])('%s', (_what, own, plans, refused) => {
  const fault = faultOf(() => assertWithinPlan(own, plans, defaultRates))

  expect(fault?.members.errors?.map(({ pointer }) => pointer)).toEqual(refused)
})
