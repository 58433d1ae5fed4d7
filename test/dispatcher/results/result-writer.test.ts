import { expect, onTestFinished, test, vi } from 'vitest'
import type { AttemptResult } from '../../../dispatcher/attempt/deliver.ts'
import { resultWriter } from '../../../dispatcher/results/result-writer.ts'

const success = { outcome: { kind: 'delivered' } } as AttemptResult
const failureOf = (webhookId: string) =>
  ({ outcome: { kind: 'retry', delayMs: 5_000 }, delivery: { webhookId } }) as AttemptResult
const failure = failureOf('one')

type Options = Parameters<typeof resultWriter>[0]

/** Notes what is written, batch by batch, unless the database is another one. */
function given(more: Partial<Options> = {}) {
  const batches: string[][] = []
  const writeRows: Options['writeRows'] = async (batch) => void batches.push(batch.map(({ outcome }) => outcome.kind))
  return { results: resultWriter({ writeRows, onWritten: () => {}, onError: () => {}, ...more }), batches }
}

function withFakeTimers(): void {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

test('a result counts as unwritten until it is written, and a database that comes back gets it', async () => {
  let [away, told, refused] = [true, 0, 0]
  const written: number[] = []
  const writeRows: Options['writeRows'] = async (batch) => {
    if (away) refused++
    if (away) throw new Error('database away')
    written.push(batch.length)
  }
  const { results } = given({ writeRows, onWritten: () => told++ })
  const all = Array.from({ length: 500 }, () => results.write(success))
  expect(results.hasCapacity()).toBe(false)

  away = false
  await Promise.all(all)

  expect(results.hasCapacity()).toBe(true)
  expect([written.length, Math.max(...written), told]).toEqual([10, 50, 10])
  // Two batches are under way at a time, and no third.
  expect(refused).toBe(2)
})

test('failures wait for each other, and no delivery waits for them', async () => {
  withFakeTimers()
  const { results, batches } = given()

  void results.write(failure)
  await vi.advanceTimersByTimeAsync(100)
  void results.write(success)
  await vi.advanceTimersByTimeAsync(50)
  void results.write(failure)
  const before = [...batches]
  await vi.advanceTimersByTimeAsync(50)

  expect([before, batches]).toEqual([[['delivered']], [['delivered'], ['retry', 'retry']]])
})

test('failures of one webhook that may open its circuit are written at once, with all that wait', async () => {
  withFakeTimers()
  const { results, batches } = given()
  const sizesAfter = async (...webhookIds: string[]) => {
    for (const webhookId of webhookIds) void results.write(failureOf(webhookId))
    await vi.advanceTimersByTimeAsync(0)
    return batches.map(({ length }) => length)
  }

  expect(await sizesAfter('one', 'other', 'one', 'other', 'one', 'other', 'one', 'other')).toEqual([])
  expect(await sizesAfter('one')).toEqual([9])
  expect(await sizesAfter('one', 'one', 'one', 'one')).toEqual([9])
})

test('at the end failures are written at once', async () => {
  const { results, batches } = given()
  void results.write(failure)
  void results.write(success)

  await results.close(1_000)

  expect(batches.map(({ length }) => length)).toEqual([1, 1])
})

test('while none is written for five seconds nothing new may start, however few wait, until one is', async () => {
  const [database, clock] = [Promise.withResolvers<void>(), { ms: 1_000 }]
  const { results } = given({ writeRows: () => database.promise, clock: () => clock.ms })
  const written = results.write(success)
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
  withFakeTimers()
  let isOver = false
  const { results } = given({ writeRows: () => Promise.reject(new Error('database away')) })
  const recorded = results.write(success)

  const closed = results.close(1_000).then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(999)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)

  await Promise.all([closed, recorded])
})
