import { expect, test } from 'vitest'
import { openConcurrencyLimit, type Acquired, fairQueue, type Shares } from '#runtime/concurrency-limit.ts'
import { eventually } from '../support/eventually.ts'
import fc from 'fast-check'

const shares = { all: { running: 2, waiting: 3 }, each: [{ running: 2, waiting: 2 }] }
const ever = 60_000

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
  const leaving = new AbortController()
  // One that leaves after it was given a slot keeps it until it gives it back.
  const held = [await slots.acquire(['a'], leaving.signal), await slots.acquire(['a'])]
  const asked = [slots.acquire(['a'], leaving.signal), slots.acquire(['a']), slots.acquire(['a'])]

  leaving.abort()

  expect(await Promise.all(asked)).toEqual([
    { kind: 'refused', why: 'aborted', level: 1 },
    { kind: 'refused', why: 'late', level: 1 },
    { kind: 'refused', why: 'full', level: 1 },
  ])
  expect(await slots.acquire(['a'], leaving.signal)).toMatchObject({ kind: 'refused', why: 'aborted' })
  expect(slots.inUse()).toBe(2)
  held.forEach(release)
  expect([slots.inUse(), slots.waiting()]).toEqual([0, 0])
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

const ofEach = [
  { running: 3, waiting: 8 },
  { running: 2, waiting: 4 },
] as const
const fairShares: Shares = { all: { running: 4, waiting: 12 }, each: ofEach }

const one = { running: 1, waiting: 99 }

function given(bounds: Shares = fairShares) {
  const queue = fairQueue<string>(bounds)
  const ask = (holders: string[], ...items: string[]) => items.map((item) => queue.enter(holders, item))
  return { ...queue, ask }
}

test('what finds room runs at once, what finds none waits, and what finds no room to wait is refused', () => {
  const { ask, running, waiting } = given()

  const entries = ask(['w', 'k'], 'a', 'b', 'c', 'd', 'e', 'f', 'g')

  expect(entries).toEqual(['runs', 'runs', 'waits', 'waits', 'waits', 'waits', 'full'])
  expect([running(), waiting()]).toEqual([2, 4])
})

test('workspaces are served round robin, and so are the keys of one, however many calls one of them has waiting', () => {
  const { ask, next, release } = given({ all: one, each: [one, one] })
  ask(['x', 'x'], 'first')
  ask(['a', 'k'], 'a1', 'a2', 'a3')
  ask(['a', 'l'], 'l1')
  ask(['b', 'm'], 'b1', 'b2')
  const order: string[] = []
  let running = ['x', 'x']

  for (;;) {
    release(running)
    const item = next()
    if (item === undefined) break
    order.push(item)
    running = { a: ['a', 'k'], l: ['a', 'l'], b: ['b', 'm'] }[item[0]!]!
  }

  expect(order).toEqual(['a1', 'b1', 'l1', 'b2', 'a2', 'a3'])
})

test('whatever happens: never above a share, nothing lost, and while a slot is free nobody waits who may have it', () => {
  const holder = fc.constantFrom(['a', 'k'], ['a', 'l'], ['b', 'm'], ['b', 'k'], ['c', 'n'])
  const step = fc.record({ act: fc.constantFrom('enter', 'enter', 'release', 'leave'), holder, at: fc.nat(30) })
  const property = fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
    const { enter, next, release, remove, running, waiting } = fairQueue<string[]>(fairShares)
    const runs: string[][] = []
    const waits: string[][] = []
    const take = () => {
      for (let item = next(); item !== undefined; item = next()) runs.push(...waits.splice(waits.indexOf(item), 1))
    }
    for (const { act, holder: holders, at } of steps) {
      const item = [...holders]
      if (act === 'enter') {
        const entry = enter(item, item)
        if (entry !== 'full') (entry === 'runs' ? runs : waits).push(item)
      } else if (act === 'release' && runs.length > 0) {
        release(runs.splice(at % runs.length, 1)[0]!)
        take()
      } else if (act === 'leave' && waits.length > 0) {
        const [left = []] = waits.splice(at % waits.length, 1)
        expect([remove(left, left), remove(left, left)]).toEqual([true, false])
      }
      expect([running(), waiting()]).toEqual([runs.length, waits.length])
      expect(isWithin(runs, 'running') && isWithin(waits, 'waiting')).toBe(true)
      expect(waits.filter((item) => isWithin([...runs, item], 'running'))).toEqual([])
    }
    while (runs.length > 0) {
      release(runs.pop()!)
      take()
    }
    expect([running(), waiting(), waits]).toEqual([0, 0, []])
  })
  fc.assert(property)
})

const isWithin = (held: readonly string[][], kind: 'running' | 'waiting'): boolean =>
  held.length <= fairShares.all[kind] &&
  fairShares.each.every((share, level) =>
    [...Map.groupBy(held, (holders) => holders[level])].every(([, of]) => of.length <= share[kind]),
  )

test('nobody starves: what waits runs after at most one of each other workspace', () => {
  const workspaces = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 })
  const property = fc.property(workspaces, (arrivals) => {
    const { ask, release, next } = given({ all: one, each: [one] })
    ask(['other'], 'other')
    arrivals.forEach((workspace) => ask([workspace], workspace))
    ask(['quiet'], 'quiet')
    let running = 'other'
    const before: string[] = []
    while (running !== 'quiet') {
      release([running])
      running = next()!
      before.push(running)
    }
    expect(new Set(before).size).toBe(before.length)
  })
  fc.assert(property)
})
