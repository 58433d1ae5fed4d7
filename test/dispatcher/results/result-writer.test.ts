import { expect, test } from 'vitest'
import type { Result } from '../../../dispatcher/attempt/attempt.ts'
import { recorder } from '../../../dispatcher/results/result-writer.ts'

const result = {} as Result

test('a result counts as unwritten until it is written, and a database that comes back gets it', async () => {
  let away = true
  const written: number[] = []
  let told = 0
  const results = recorder({
    write: async (batch) => {
      if (away) throw new Error('database away')
      written.push(batch.length)
    },
    onWritten: () => told++,
    onError: () => {},
  })
  const all = Array.from({ length: 500 }, () => results.record(result))
  expect(results.hasRoom()).toBe(false)
  away = false
  await Promise.all(all)
  expect(results.hasRoom()).toBe(true)
  expect([written.length, Math.max(...written), told]).toEqual([10, 50, 10])
})

test('at the end what cannot be written is given up within the bound', async () => {
  const results = recorder({
    write: () => Promise.reject(new Error('database away')),
    onWritten: () => {},
    onError: () => {},
  })
  const recorded = results.record(result)
  const before = performance.now()
  await results.close(200)
  await recorded
  expect(performance.now() - before).toBeLessThan(2_000)
})
