import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fairQueue, type Shares } from '#runtime/fair-queue.ts'

const shares: Shares = {
  all: { running: 4, waiting: 12 },
  each: [
    { running: 3, waiting: 8 },
    { running: 2, waiting: 4 },
  ],
}

const one = { running: 1, waiting: 99 }

function given(bounds: Shares = shares) {
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

test('a narrow holder has one share, in however many wide ones it asks', () => {
  const { ask } = given()

  const entries = [ask(['v', 'k'], 'a'), ask(['w', 'k'], 'b'), ask(['x', 'k'], 'c'), ask(['x', 'l'], 'd')].flat()

  expect(entries).toEqual(['runs', 'runs', 'waits', 'runs'])
})

test('one that waits no longer is taken out, its share is free, and it never runs', () => {
  const { ask, remove, release, next, waiting } = given()
  ask(['w', 'k'], 'a', 'b', 'c', 'd')

  expect([remove(['w', 'k'], 'c'), remove(['w', 'k'], 'c'), remove(['w', 'z'], 'd'), waiting()]).toEqual([
    ...[true, false, false, 1],
  ])
  release(['w', 'k'])

  expect([next(), next(), waiting()]).toEqual(['d', undefined, 0])
})

test('whatever happens: never above a share, nothing lost, and while a slot is free nobody waits who may have it', () => {
  const holder = fc.constantFrom(['a', 'k'], ['a', 'l'], ['b', 'm'], ['b', 'k'], ['c', 'n'])
  const step = fc.record({ act: fc.constantFrom('enter', 'enter', 'release', 'leave'), holder, at: fc.nat(30) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const { enter, next, release, remove, running, waiting } = fairQueue<string[]>(shares)
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
          expect(remove(left, left)).toBe(true)
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
    }),
  )
})

const isWithin = (held: readonly string[][], kind: 'running' | 'waiting'): boolean =>
  held.length <= shares.all[kind] &&
  shares.each.every((share, level) =>
    [...Map.groupBy(held, (holders) => holders[level])].every(([, of]) => of.length <= share[kind]),
  )

test('nobody starves: what waits runs after at most one of each other workspace', () => {
  const workspaces = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(workspaces, (arrivals) => {
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
    }),
  )
})
