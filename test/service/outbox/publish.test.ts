import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { noticesPerMessageMax, type EventNotice } from '#contract/internal/event-notice.ts'
import { eventPublisher, waitingMax } from '../../../service/outbox/publish.ts'
import { eventually } from '../../support/eventually.ts'

const workspaceId = uuid()
const notices = (count: number): EventNotice[] =>
  Array.from({ length: count }, () => ({ eventId: uuid(), workspaceId }))

function given(confirm: () => Promise<void>) {
  const messages: EventNotice[][] = []
  const lost: number[] = []
  const publishEvents = eventPublisher(
    (body) => {
      messages.push(JSON.parse(body) as EventNotice[])
      return confirm()
    },
    (_error, some) => void lost.push(some.length),
  )
  return { publishEvents, messages, lost }
}

test('a notice is published at once; those that come up meanwhile share the next message, in their order', async () => {
  const confirmed = Promise.withResolvers<void>()
  const { publishEvents, messages } = given(() => confirmed.promise)
  const all = notices(3)

  for (const notice of all) publishEvents([notice])
  expect(messages).toEqual([[all[0]]])
  confirmed.resolve()
  await eventually(() => messages.length === 2, 'the second message')

  expect(messages.flat()).toEqual(all)
})

test('a message holds no more notices than its bound', async () => {
  const { publishEvents, messages } = given(() => Promise.resolve())

  publishEvents(notices(noticesPerMessageMax * 2 + 1))
  await eventually(() => messages.length === 3, 'three messages')

  expect(messages.map(({ length }) => length)).toEqual([noticesPerMessageMax, noticesPerMessageMax, 1])
})

test('notices that the broker refuses are reported as lost, and later ones are published', async () => {
  let tries = 0
  const { publishEvents, messages, lost } = given(() =>
    ++tries === 1 ? Promise.reject(new Error('away')) : Promise.resolve(),
  )

  publishEvents(notices(1))
  publishEvents(notices(2))
  await eventually(() => messages.length === 2, 'the second message')

  expect(lost).toEqual([1])
})

test('a message that is never confirmed does not hold back the next ones', async () => {
  const { publishEvents, messages, lost } = given(() => new Promise(() => {}))
  const all = notices(3)

  for (const notice of all) {
    publishEvents([notice])
    await eventually(() => messages.flat().some(({ eventId }) => eventId === notice.eventId), 'its message')
  }

  expect(messages.flat()).toEqual(all)
  expect(lost).toEqual([])
})

test('no more notices wait for the broker than the bound', () => {
  const { publishEvents, lost } = given(() => new Promise(() => {}))

  publishEvents(notices(waitingMax + noticesPerMessageMax))
  publishEvents(notices(noticesPerMessageMax + 5))

  expect(lost).toEqual([noticesPerMessageMax, 5])
})
