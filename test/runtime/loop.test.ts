import { expect, test } from 'vitest'
import { loop } from '../../runtime/loop.ts'
import { eventually } from '../support/eventually.ts'

test('a loop sleeps as long as its last run says, can be woken, and ends when closed', async () => {
  let runs = 0
  const looping = loop(
    async () => {
      runs++
      return 60_000
    },
    () => {},
  )
  await eventually(() => runs === 1, 'the first run')
  looping.wake()
  await eventually(() => runs === 2, 'the second run')
  await looping.close()
  expect(runs).toBe(2)
})

test('a run that fails is reported and followed by another, not at once', async () => {
  const at: number[] = []
  const looping = loop(
    async () => {
      at.push(performance.now())
      if (at.length < 3) throw new Error('database away')
      return 60_000
    },
    () => looping.wake(),
  )
  await eventually(() => at.length === 3, 'the third run')
  await looping.close()
  const [first = 0, second = 0, third = 0] = at
  expect(second - first).toBeGreaterThan(200)
  expect(third - second).toBeGreaterThan(400)
})
