import { expect, test } from 'vitest'
import { inBatches } from '../../runtime/batcher.ts'
import { insist } from '../../runtime/retry.ts'
import { loop } from '#runtime/loop.ts'
import { eventually } from '../support/eventually.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a full batch goes at once, the rest when the first of it has waited', async () => {
  const batches: number[][] = []
  const gathering = inBatches<number>(3, 20, async (items) => void batches.push([...items]))
  for (const item of [1, 2, 3, 4]) gathering.add(item)
  await settled()
  expect(batches[0]).toEqual([1, 2, 3])
  await eventually(() => batches.flat().length === 4, 'the last item')
})

test('there is one batch at a time, and what is being written counts', async () => {
  const open: (() => void)[] = []
  const gathering = inBatches<number>(2, 1_000, () => new Promise((resolve) => open.push(resolve)))
  for (const item of [1, 2, 3]) gathering.add(item)
  await settled()
  expect([open.length, gathering.size()]).toEqual([1, 3])
  open[0]?.()
  await settled()
  expect([open.length, gathering.size()]).toEqual([2, 1])
  open[1]?.()
  await gathering.settle()
  expect(gathering.size()).toBe(0)
})

test('what is added the moment that a batch is done is not forgotten', async () => {
  const gathering = inBatches<() => void>(2, 5, async (items) => {
    await settled()
    items.forEach((done) => done())
  })
  const handled = () => new Promise<void>((done) => gathering.add(done))
  let rounds = 0
  const running = (async () => {
    for (; rounds < 20; rounds++) await Promise.all([handled(), handled()])
  })()
  await eventually(() => rounds === 20, 'every item to be handled')
  await running
})

test('work that fails is done again until it succeeds or is given up', async () => {
  let tries = 0
  const errors: unknown[] = []
  const done = await insist(
    async () => {
      if (++tries < 3) throw new Error('not yet')
    },
    new AbortController().signal,
    (error) => errors.push(error),
  )
  expect([done, tries, errors.length]).toEqual([true, 3, 2])

  const givingUp = new AbortController()
  const failing = insist(
    () => Promise.reject(new Error('never')),
    givingUp.signal,
    () => {},
  )
  givingUp.abort()
  expect(await failing).toBe(false)
})

test('a loop sleeps as long as its turn says, can be woken, and ends when closed', async () => {
  let turns = 0
  const looping = loop(
    async () => {
      turns++
      return 60_000
    },
    () => {},
  )
  await eventually(() => turns === 1, 'the first turn')
  looping.wake()
  await eventually(() => turns === 2, 'the second turn')
  await looping.close()
  expect(turns).toBe(2)
})

test('a turn that fails is reported and followed by another, not at once', async () => {
  const at: number[] = []
  const looping = loop(
    async () => {
      at.push(performance.now())
      if (at.length < 3) throw new Error('database away')
      return 60_000
    },
    () => looping.wake(),
  )
  await eventually(() => at.length === 3, 'the third turn')
  await looping.close()
  const [first = 0, second = 0, third = 0] = at
  expect(second - first).toBeGreaterThan(200)
  expect(third - second).toBeGreaterThan(400)
})
