import { expect, test } from 'vitest'
import { openConcurrencyLimit, type Acquired } from '#runtime/concurrency-limit.ts'
import { eventually } from '../support/eventually.ts'

const shares = { all: { running: 2, waiting: 3 }, each: [{ running: 2, waiting: 2 }] }
const ever = 60_000
const settled = () => new Promise((resolve) => setImmediate(resolve))

function release(acquired: Acquired): void {
  if (acquired.kind === 'acquired') acquired.release()
}

test('who finds no slot gets the one that is released, and releasing twice frees one', async () => {
  const slots = openConcurrencyLimit(shares, ever)
  const one = await slots.acquire(['a'])
  await slots.acquire(['a'])
  const waiting = [slots.acquire(['a']), slots.acquire(['b'])]
  expect([slots.inUse(), slots.waiting()]).toEqual([2, 2])

  release(one)
  release(one)

  expect((await waiting[0])?.kind).toBe('acquired')
  expect([slots.inUse(), slots.waiting()]).toEqual([2, 1])
})

test('who waits too long, finds too many waiting or aborts is refused, and holds nothing', async () => {
  const slots = openConcurrencyLimit(shares, 20)
  const held = [await slots.acquire(['a']), await slots.acquire(['a'])]
  const leaving = new AbortController()
  const asked = [slots.acquire(['a'], leaving.signal), slots.acquire(['a']), slots.acquire(['a'])]

  leaving.abort()

  expect(await Promise.all(asked)).toEqual([
    { kind: 'refused', why: 'aborted', level: 1 },
    { kind: 'refused', why: 'late', level: 1 },
    { kind: 'refused', why: 'full', level: 1 },
  ])
  expect(await slots.acquire(['a'], leaving.signal)).toMatchObject({ kind: 'refused', why: 'aborted' })
  held.forEach(release)
  expect([slots.inUse(), slots.waiting()]).toEqual([0, 0])
})

test('one that leaves after it was given a slot keeps it until it gives it back', async () => {
  const slots = openConcurrencyLimit(shares, ever)
  const leaving = new AbortController()
  const held = await slots.acquire(['a'], leaving.signal)

  leaving.abort()
  await settled()

  expect(slots.inUse()).toBe(1)
  release(held)
  expect(slots.inUse()).toBe(0)
})

test('it is stuck only while somebody waits and nothing comes free', async () => {
  let now = 1_000
  const slots = openConcurrencyLimit(shares, ever, () => now)
  const held = [await slots.acquire(['a']), await slots.acquire(['a'])]
  now = 5_000
  expect(slots.stuckForMs()).toBe(0)

  const waiting = slots.acquire(['b'])
  now = 8_000
  expect(slots.stuckForMs()).toBe(3_000)

  release(held[0]!)
  await eventually(() => slots.waiting() === 0, 'the one that waited goes on')
  expect([(await waiting).kind, slots.stuckForMs()]).toEqual(['acquired', 0])
})
