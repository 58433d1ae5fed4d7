// An embedded database that has stopped because its disk is full.

import { expect, onTestFinished, test } from 'vitest'
import { watchFullDisk } from '../../standalone/embedded-database.ts'
import { eventually } from '../support/eventually.ts'

const times = { everyMs: 1, answersWithinMs: 20 }

/** A database of which it is known how often it was asked. */
function watched(isFull: boolean, answer: () => Promise<unknown>) {
  const stuck: Error[] = []
  let [looks, asked] = [0, 0]
  const $queryRaw = (() => {
    asked += 1
    return answer()
  }) as never
  const full = () => {
    looks += 1
    return isFull
  }
  const watch = watchFullDisk({ db: { $queryRaw }, isFull: full }, (error) => void stuck.push(error), times)
  onTestFinished(watch.close)
  return { stuck, looks: () => looks, asked: () => asked }
}

test('one that answers nothing any more ends the process, which says what to do', async () => {
  const { stuck } = watched(true, () => new Promise(() => {}))

  const [error] = await eventually(() => (stuck.length > 0 ? stuck : null), 'the end')

  expect(error?.message).toContain('Make room and start again')
})

test.each([
  ['answers', () => Promise.resolve()],
  ['fails at every statement', () => Promise.reject(new Error('no room'))],
])('one that %s goes on', async (_how, answer) => {
  const { stuck, asked } = watched(true, answer)

  await eventually(() => asked() >= 5, 'it was asked again and again')

  expect(stuck).toEqual([])
})

test('one with room on its disk is not asked', async () => {
  const { looks, asked } = watched(false, () => new Promise(() => {}))

  await eventually(() => looks() >= 5, 'it was looked at again and again')

  expect(asked()).toBe(0)
})
