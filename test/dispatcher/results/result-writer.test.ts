import { expect, test } from 'vitest'
import type { AttemptResult } from '../../../dispatcher/attempt/deliver.ts'
import { resultWriter } from '../../../dispatcher/results/result-writer.ts'

const result = { outcome: { kind: 'delivered' } } as AttemptResult

test('a result counts as unwritten until it is written, and a database that comes back gets it', async () => {
  let away = true
  const written: number[] = []
  let told = 0
  const results = resultWriter({
    writeRows: async (batch) => {
      if (away) throw new Error('database away')
      written.push(batch.length)
    },
    onWritten: () => told++,
    onError: () => {},
  })
  const all = Array.from({ length: 500 }, () => results.write(result))
  expect(results.hasCapacity()).toBe(false)
  away = false
  await Promise.all(all)
  expect(results.hasCapacity()).toBe(true)
  expect([written.length, Math.max(...written), told]).toEqual([10, 50, 10])
})

test('while one batch waits for the disk another one is written, and no third', async () => {
  const [database, begun] = [Promise.withResolvers<void>(), [] as number[]]
  const results = resultWriter({
    writeRows: (batch) => {
      begun.push(batch.length)
      return database.promise
    },
    onWritten: () => {},
    onError: () => {},
  })

  const all = Array.from({ length: 200 }, () => results.write(result))
  const atOnce = begun.length
  database.resolve()
  await Promise.all(all)

  expect([atOnce, begun.reduce((sum, size) => sum + size)]).toEqual([2, 200])
})

test('while none is written for five seconds nothing new may start, however few wait, until one is', async () => {
  const [database, clock] = [Promise.withResolvers<void>(), { ms: 1_000 }]
  const results = resultWriter({
    writeRows: () => database.promise,
    onWritten: () => {},
    onError: () => {},
    clock: () => clock.ms,
  })
  const written = results.write(result)
  clock.ms += 4_999
  expect(results.hasCapacity()).toBe(true)
  clock.ms += 1
  expect(results.hasCapacity()).toBe(false)
  database.resolve()
  await written
  await results.close(1_000)
  expect(results.hasCapacity()).toBe(true)
})

test('at the end what cannot be written is given up within the bound', async () => {
  const results = resultWriter({
    writeRows: () => Promise.reject(new Error('database away')),
    onWritten: () => {},
    onError: () => {},
  })
  const recorded = results.write(result)
  const before = performance.now()
  await results.close(200)
  await recorded
  expect(performance.now() - before).toBeLessThan(2_000)
})
