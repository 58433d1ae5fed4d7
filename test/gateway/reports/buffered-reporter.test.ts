// What every kind of report has in common: nothing is lost while the service is away, and nothing is counted twice.
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import { bufferedReporter, type Report } from '../../../gateway/reports/buffered-reporter.ts'

type Item = { readonly key: string; readonly count: number }

/** Reports of two items at most, of three that are held; `answer` may fail. */
function given(answer: (report: Report<Item>) => Promise<void> = async () => {}) {
  const reports: Report<Item>[] = []
  const [errors, dropped]: [unknown[], number[]] = [[], []]
  const reporter = bufferedReporter<Item>({
    keyOf: ({ key }) => key,
    combine: (earlier, later) => ({ ...later, count: earlier.count + later.count }),
    maxHeld: 3,
    maxPerReport: 2,
    intervalMs: 60_000,
    report: async (report) => {
      reports.push(report)
      await answer(report)
    },
    onError: (error) => errors.push(error),
    onDropped: (count) => dropped.push(count),
  })
  const add = (...keys: string[]) => keys.forEach((key) => reporter.add({ key, count: 1 }))
  const told = () => reports.map(({ items }) => items.map(({ key, count }) => key + count).join(' '))
  return { ...reporter, reports, errors, dropped, add, told }
}

test('a report whose answer was lost is sent again as it was, under the same id, before what has come meanwhile', async () => {
  let isAway = true
  const { add, flush, close, reports, told, errors } = given(async () => {
    if (isAway) throw new Error('no answer in time')
  })
  add('a')
  await flush()
  add('a', 'a', 'b')
  await flush()
  isAway = false
  await close()

  expect(told()).toEqual(['a1', 'a1', 'a1', 'a2 b1'])
  expect(new Set(reports.slice(0, 3).map(({ id }) => id)).size).toBe(1)
  expect(reports[3]?.id).not.toBe(reports[0]?.id)
  expect(errors).toHaveLength(1)
})

test('a report that the service does not accept is told of and dropped, so that it holds up none of the others', async () => {
  const { add, flush, close, told, errors } = given(async ({ items }) => {
    if (items.some(({ key }) => key === 'poison')) throw new Fault('validation_failed', '')
  })
  add('poison', 'a', 'b')

  await flush()
  await close()

  expect([told(), errors.length]).toEqual([['poison1 a1', 'b1'], 1])
})
