import { expect, onTestFinished, test, vi } from 'vitest'
import type { AttemptResult } from '../../../dispatcher/attempt/deliver.ts'
import { resultWriter } from '../../../dispatcher/results/result-writer.ts'

const result = { outcome: { kind: 'delivered' } } as AttemptResult
const failure = { outcome: { kind: 'retry', delayMs: 5_000 }, delivery: { webhookId: 'one' } } as AttemptResult

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

test('failures wait for each other, and no delivery waits for them', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const written: string[] = []
  const results = resultWriter({
    writeRows: async (batch) => void written.push(batch.map(({ outcome }) => outcome.kind).join(' ')),
    onWritten: () => {},
    onError: () => {},
  })

  void results.write(failure)
  await vi.advanceTimersByTimeAsync(100)
  void results.write(result)
  await vi.advanceTimersByTimeAsync(50)
  void results.write(failure)
  const before = [...written]
  await vi.advanceTimersByTimeAsync(50)

  expect([before, written]).toEqual([['delivered'], ['delivered', 'retry retry']])
})

test('failures of one webhook that may open its circuit are written at once, with all that wait', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const written: number[] = []
  const results = resultWriter({
    writeRows: async (batch) => void written.push(batch.length),
    onWritten: () => {},
    onError: () => {},
  })
  const fail = (webhookId: string) => void results.write({ ...failure, delivery: { webhookId } } as AttemptResult)

  for (const webhookId of ['one', 'other', 'one', 'other', 'one', 'other', 'one', 'other']) fail(webhookId)
  await vi.advanceTimersByTimeAsync(0)
  const before = [...written]
  fail('one')
  await vi.advanceTimersByTimeAsync(0)
  const opened = [...written]
  for (const webhookId of ['one', 'one', 'one', 'one']) fail(webhookId)
  await vi.advanceTimersByTimeAsync(0)

  expect([before, opened, written]).toEqual([[], [9], [9]])
})

test('at the end failures are written at once', async () => {
  const written: number[] = []
  const results = resultWriter({
    writeRows: async (batch) => void written.push(batch.length),
    onWritten: () => {},
    onError: () => {},
  })
  void results.write(failure)
  void results.write(result)

  await results.close(1_000)

  expect(written).toEqual([1, 1])
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
