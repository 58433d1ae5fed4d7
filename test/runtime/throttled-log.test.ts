import { expect, test } from 'vitest'
import { throttledLog } from '#runtime/throttled-log.ts'

test('the first of a cause is logged at once, the rest once in a while with their number, and no cause hides another', () => {
  let now = 0
  const said: [string, number][] = []
  const throttled = throttledLog(1_000, () => now)
  const happens = (cause: string, count: number) => throttled(cause, count, (all) => said.push([cause, all]))

  happens('a', 2)
  happens('a', 3)
  happens('b', 1)
  now = 999
  happens('a', 4)
  now = 1_000
  happens('a', 1)

  expect(said).toEqual([
    ['a', 2],
    ['b', 1],
    ['a', 8],
  ])
})
