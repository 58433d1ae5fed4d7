import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batcher, type BatcherOptions } from '../../runtime/batcher.ts'
import { eventually } from '../support/eventually.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a full batch goes at once, the rest when the first of it has waited', async () => {
  const batches: number[][] = []
  const flush = async (items: readonly number[]) => void batches.push([...items])
  const gathering = batcher<number>({ flush, start: { waitMs: 20 }, maxItems: 3 })
  for (const item of [1, 2, 3, 4]) gathering.add(item)
  await settled()
  expect(batches[0]).toEqual([1, 2, 3])
  await eventually(() => batches.flat().length === 4, 'the last item')
})

test.each<[BatcherOptions<number>['start'], number[][]]>([
  ['item', [[1], [2, 3]]],
  ['microtask', [[1, 2, 3]]],
  ['call', []],
])('a flush that starts with the %s takes what is there by then, and one by call no more', async (start, expected) => {
  const batches: number[][] = []
  const flush = async (items: readonly number[]) => {
    batches.push([...items])
    if (start === 'call') gathering.add(10)
  }
  const gathering = batcher<number>({ flush, start })
  for (const item of [1, 2, 3]) gathering.add(item)
  await settled()
  expect(batches).toEqual(expected)

  await gathering.flush()

  expect(batches.flat()).toEqual([1, 2, 3])
})

test('a batch that is kept comes again unchanged, before what was added meanwhile', async () => {
  const flushed: (readonly string[])[] = []
  let away = true
  const gathering = batcher<string>({
    flush: async (items) => {
      flushed.push(items)
      if (away) throw new Error('away')
    },
    onError: () => 'keep',
    start: 'call',
    merge: { keyOf: (item) => item, combine: (earlier) => earlier },
  })
  gathering.add('a', 'b')
  await gathering.flush()
  gathering.add('a')
  away = false
  await gathering.flush()
  expect(flushed).toEqual([['a', 'b'], ['a', 'b'], ['a']])
  expect(flushed[0]).toBe(flushed[1])
})

type Counted = { readonly key: number; readonly count: number }
const combine = (earlier: Counted, later: Counted): Counted => ({ ...earlier, count: earlier.count + later.count })
const sum = (items: readonly Counted[]): number => items.reduce((total, { count }) => total + count, 0)

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ end: fc.constantFrom('well', 'badly') }) },
  { weight: 1, arbitrary: fc.constant('flush' as const) },
)
const shapes = fc.record({
  start: fc.constantFrom<BatcherOptions<Counted>['start']>('item', 'microtask', 'call', { waitMs: 0 }),
  maxItems: fc.integer({ min: 1, max: 5 }),
  maxWaiting: fc.integer({ min: 1, max: 10 }),
  maxHeld: fc.integer({ min: 1, max: 12 }),
  merges: fc.boolean(),
  maxFlushes: fc.integer({ min: 1, max: 2 }),
  onFailure: fc.constantFrom<'keep' | 'drop'>('keep', 'drop'),
})

test('whatever is added and however it ends, the bounds hold, and nothing is lost or doubled unless it is reported as dropped', async () => {
  const property = fc.asyncProperty(shapes, fc.array(step, { maxLength: 30 }), async (shape, steps) => {
    const { merges, onFailure, ...bounds } = shape
    const { maxItems, maxWaiting, maxHeld, maxFlushes } = bounds
    const open: { end: (error?: Error) => void }[] = []
    const told: Counted[] = []
    const done: Counted[] = []
    // What `flush` throws counts as its failure, so it is judged afterwards.
    const flushes: object[] = []
    let added = 0
    const gathering = batcher<Counted>({
      ...bounds,
      ...(merges && { merge: { keyOf: ({ key }: Counted) => key, combine } }),
      flush: async (items) => {
        const isTooMany = open.length >= maxFlushes
        flushes.push({ isTooMany, isEmpty: items.length === 0, isTooLarge: items.length > maxItems })
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        open.push({ end: (error) => (error === undefined ? resolve() : reject(error)) })
        await promise
        done.push(...items)
      },
      onDropped: (items) => told.push(...items),
      onError: (_error, items) => {
        if (onFailure === 'drop') told.push(...items)
        return onFailure
      },
    })
    const endOne = async (error?: Error) => {
      open.pop()?.end(error)
      await settled()
    }
    for (const one of steps) {
      if (one === 'flush') void gathering.flush()
      else if ('end' in one) await endOne(one.end === 'well' ? undefined : new Error('away'))
      else {
        added += one.add.length
        gathering.add(...one.add.map((key) => ({ key, count: 1 })))
      }
      expect(gathering.size()).toBeLessThanOrEqual(Math.min(maxHeld, maxWaiting + maxItems * maxFlushes))
    }
    while (gathering.size() > 0) {
      void gathering.flush()
      await settled()
      await endOne()
    }
    expect(sum(done) + sum(told)).toBe(added)
    expect(flushes).toEqual(flushes.map(() => ({ isTooMany: false, isEmpty: false, isTooLarge: false })))
  })
  await fc.assert(property, { numRuns: 100 })
})

test('with two flushes at a time the second begins as the first does, and what comes meanwhile waits for whichever ends', async () => {
  const flushes: { readonly items: string; readonly goOn: () => void }[] = []
  const { add, size, flush } = batcher<string>({
    flush: (items) => new Promise((goOn) => flushes.push({ items: items.join(''), goOn })),
    start: 'item',
    maxItems: 2,
    maxFlushes: 2,
  })
  const flushed = () => flushes.map(({ items }) => items)
  const goOn = async (...which: number[]) => {
    for (const at of which) {
      flushes[at]?.goOn()
      await settled()
    }
  }

  add('a', 'b')
  add('c')
  add('d', 'e', 'f')
  expect([flushed(), size()]).toEqual([['ab', 'c'], 6])

  await goOn(1)
  expect([flushed(), size()]).toEqual([['ab', 'c', 'de'], 5])

  let isDone = false
  const done = flush().then(() => (isDone = true))
  await goOn(2, 3)
  expect([flushed(), isDone]).toEqual([['ab', 'c', 'de', 'f'], false])
  await goOn(0)
  await done
  expect(size()).toBe(0)
})
