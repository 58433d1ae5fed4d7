import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { noticesPerMessageMax, type EventNotice } from '#contract/internal/event-notice.ts'
import { announcer, heldMax } from '../../../service/outbox/publish.ts'
import { eventually } from '../../support/eventually.ts'

const workspaceId = uuid()
const notices = (count: number): EventNotice[] =>
  Array.from({ length: count }, () => ({ eventId: uuid(), workspaceId }))

function given(confirm: () => Promise<void>) {
  const messages: EventNotice[][] = []
  const lost: number[] = []
  const announce = announcer(
    (body) => {
      messages.push(JSON.parse(body) as EventNotice[])
      return confirm()
    },
    () => {},
    (_error, some) => void lost.push(some.length),
  )
  return { announce, messages, lost }
}

test('a notice goes at once; those that come up meanwhile go together, in their order', async () => {
  const confirmed = Promise.withResolvers<void>()
  const { announce, messages } = given(() => confirmed.promise)
  const all = notices(3)

  for (const notice of all) announce([notice])
  expect(messages).toEqual([[all[0]]])
  confirmed.resolve()
  await eventually(() => messages.length === 2, 'the second message')

  expect(messages.flat()).toEqual(all)
})

test('a message has no more notices than its bound', async () => {
  const { announce, messages } = given(() => Promise.resolve())

  announce(notices(noticesPerMessageMax * 2 + 1))
  await eventually(() => messages.length === 3, 'three messages')

  expect(messages.map(({ length }) => length)).toEqual([noticesPerMessageMax, noticesPerMessageMax, 1])
})

test('what the broker does not take is told, and what comes after goes on', async () => {
  let tries = 0
  const { announce, messages, lost } = given(() =>
    ++tries === 1 ? Promise.reject(new Error('away')) : Promise.resolve(),
  )

  announce(notices(1))
  announce(notices(2))
  await eventually(() => messages.length === 2, 'the second message')

  expect(lost).toEqual([1])
})

test('a message that is never confirmed holds back none of those behind it', async () => {
  const { announce, messages, lost } = given(() => new Promise(() => {}))
  const all = notices(3)

  for (const notice of all) {
    announce([notice])
    await eventually(() => messages.flat().some(({ eventId }) => eventId === notice.eventId), 'its message')
  }

  expect(messages.flat()).toEqual(all)
  expect(lost).toEqual([])
})

test('no more waits for the broker than the bound', () => {
  const { announce, lost } = given(() => new Promise(() => {}))

  announce(notices(heldMax + noticesPerMessageMax))
  announce(notices(noticesPerMessageMax + 5))

  expect(lost).toEqual([noticesPerMessageMax, 5])
})
