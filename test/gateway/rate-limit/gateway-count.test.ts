// How many gateways are believed to be alive, by what Redis says of it.
import { expect, test } from 'vitest'
import { gatewayCount } from '../../../gateway/rate-limit/redis-store.ts'

test('more are believed at once, fewer once nothing else was heard for four seconds', () => {
  const gateways = gatewayCount()
  const counts = [
    [3, 0],
    [1, 60_000],
    [2, 62_000],
    [1, 63_999],
    [1, 64_000],
    [1, 65_000],
    [4, 65_001],
    [1, 66_000],
    [4, 67_000],
    [1, 68_000],
    [1, 71_999],
    [1, 72_000],
  ].map(([alive, atMs]) => {
    gateways.heard(alive!, atMs!)
    return gateways.count()
  })

  expect(counts).toEqual([3, 3, 3, 3, 2, 2, 4, 4, 4, 4, 4, 1])
})
