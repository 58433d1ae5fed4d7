import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { notificationsPerMessageMax, type EventNotification } from '#contract/internal/deliveries.ts'
import { eventPublisher, waitingMax } from '../../../service/ledger/event-notifier.ts'
import { eventually } from '../../support/eventually.ts'

const workspaceId = uuid()
const notifications = (count: number): EventNotification[] =>
  Array.from({ length: count }, () => ({ eventId: uuid(), workspaceId }))

function given(confirm: () => Promise<void>) {
  const messages: EventNotification[][] = []
  const lost: number[] = []
  const { publish: publishEvents } = eventPublisher(
    (body) => {
      messages.push(JSON.parse(body) as EventNotification[])
      return confirm()
    },
    (_error, some) => void lost.push(some.length),
  )
  return { publishEvents, messages, lost }
}

test('a few messages wait for their confirmation at once; what comes up meanwhile shares the next one, in its order', async () => {
  const confirmed = Promise.withResolvers<void>()
  const { publishEvents, messages } = given(() => confirmed.promise)
  const all = notifications(7)

  for (const notification of all) publishEvents([notification])
  expect(messages).toEqual(all.slice(0, 4).map((notification) => [notification]))
  confirmed.resolve()
  await eventually(() => messages.length === 5, 'the next message')

  expect(messages[4]).toEqual(all.slice(4))
})

test('a message holds no more notifications than its bound, and no more wait for the broker than another', async () => {
  const most = notificationsPerMessageMax
  const [taking, waiting] = [given(() => Promise.resolve()), given(() => new Promise(() => {}))]

  taking.publishEvents(notifications(most * 2 + 1))
  await eventually(() => taking.messages.length === 3, 'three messages')
  waiting.publishEvents(notifications(waitingMax + most))
  waiting.publishEvents(notifications(most + 5))

  expect(taking.messages.map(({ length }) => length)).toEqual([most, most, 1])
  expect(waiting.lost).toEqual([most, 5])
})

test('notifications that the broker refuses are reported as lost, and later ones are published', async () => {
  let tries = 0
  const { publishEvents, messages, lost } = given(() =>
    ++tries === 1 ? Promise.reject(new Error('away')) : Promise.resolve(),
  )

  publishEvents(notifications(1))
  publishEvents(notifications(2))
  await eventually(() => messages.length === 2, 'the second message')

  expect(lost).toEqual([1])
})

test('a message that is never confirmed does not hold back the next ones', async () => {
  const { publishEvents, messages, lost } = given(() => new Promise(() => {}))
  const all = notifications(3)

  for (const notification of all) {
    publishEvents([notification])
    await eventually(() => messages.flat().some(({ eventId }) => eventId === notification.eventId), 'its message')
  }

  expect(messages.flat()).toEqual(all)
  expect(lost).toEqual([])
})
