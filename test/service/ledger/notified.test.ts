// Who is told of new events: readers of the feed, what they may ask for and how they wait for the next one;
// dispatchers.
import type { AddressInfo } from 'node:net'
import { v7 as uuid } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { type EventNotification, notificationsPerMessageMax } from '#contract/internal/deliveries.ts'
import { newTraceparent } from '#runtime/tracing/trace-context.ts'
import type { RecordedEvent } from '../../../service/execution/change.ts'
import { eventPublisher, waitingMax } from '../../../service/ledger/event-notifier.ts'
import { type LongPollBounds, openLongPoll } from '../../../service/ledger/long-poll.ts'
import { stageOn } from '../../dispatcher/stage.ts'
import { sharedDatabase } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { quietService } from '../quiet-service.ts'

const never = new AbortController().signal
const [another, third] = ['01999999-0000-7000-8000-000000000000', '01999999-0000-7000-8000-000000000001']
const database = sharedDatabase('pglite')

async function open(bounds: Partial<LongPollBounds> = {}) {
  const rows = await stageOn(database.db)
  const errors: unknown[] = []
  const polling = { all: 3, perWorkspace: 2, pollEveryMs: 600_000, ...bounds }
  const longPoll = openLongPoll(database.db, (error) => errors.push(error), polling)
  onTestFinished(longPoll.close)
  const waits = (workspaceId = rows.workspaceId, until = never) => longPoll.waitForEvents(workspaceId, 0, until)
  return { ...rows, ...longPoll, waits, errors }
}

test('a waiting caller is woken by an event of his workspace and of no other', async () => {
  const stage = await open()
  const [mine, other] = [stage.waits(), stage.waits(another)]

  stage.notify(stage.workspaceId)

  expect(await mine).toBe(true)
  await stage.close()
  expect(await other).toBe(false)
})

test('an event of another process is found by polling, and one between reading and waiting by the first poll', async () => {
  const [stage, quick] = [await open(), await open({ pollEveryMs: 20 })]
  const waits = quick.waits()

  for (const { event } of [stage, quick]) await event()

  expect([await waits, await stage.waits()]).toEqual([true, true])
})

test('a caller whose signal is aborted waits no longer, and another may wait instead', async () => {
  const stage = await open({ perWorkspace: 1 })
  const caller = new AbortController()
  const first = stage.waits(stage.workspaceId, caller.signal)
  caller.abort()
  const second = stage.waits()

  stage.notify(stage.workspaceId)

  expect([await first, await second]).toEqual([false, true])
  expect(await stage.waits(stage.workspaceId, caller.signal)).toBe(false)
})

test('nobody waits beyond the bounds, of one workspace and of all, nor after the close', async () => {
  const stage = await open()
  const held = [stage.waits(), stage.waits()]

  expect(await stage.waits()).toBe(false)
  held.push(stage.waits(another))
  expect(await stage.waits(third)).toBe(false)

  await stage.close()
  expect(await Promise.all(held)).toEqual([false, false, false])
  expect(await stage.waits()).toBe(false)
  expect(stage.errors).toEqual([])
})

test('the wait ends when the caller disconnects, before its time is over', async () => {
  const waits: AbortSignal[] = []
  const waitForEvents = (_workspaceId: string, _sequence: number, until: AbortSignal) => {
    waits.push(until)
    return new Promise<boolean>((resolve) => until.addEventListener('abort', () => resolve(false)))
  }
  await using service = await quietService('pglite', { waitForEvents, notifyEvents: () => {} })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  const disconnect = new AbortController()
  const call = fetch(`http://127.0.0.1:${port}/api/v1/events?wait=20`, {
    headers: service.headersFor('GET', '/api/v1/events'),
    signal: disconnect.signal,
  })
  const until = await eventually(() => waits[0], 'the caller to wait')
  expect(until.aborted).toBe(false)

  disconnect.abort()

  await expect(call).rejects.toThrow('aborted')
  await eventually(() => until.aborted, 'the wait to end', 10_000)
})

const workspaceId = uuid()
const notifications = (count: number): RecordedEvent[] =>
  Array.from({ length: count }, () => ({ eventId: uuid(), workspaceId, traceparent: newTraceparent(), span: null }))
const bodyOf = ({ eventId }: RecordedEvent): EventNotification => ({ eventId, workspaceId })

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
  expect(messages).toEqual(all.slice(0, 4).map((notification) => [bodyOf(notification)]))
  confirmed.resolve()
  await eventually(() => messages.length === 5, 'the next message')

  expect(messages[4]).toEqual(all.slice(4).map(bodyOf))
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

test('messages that are never confirmed do not hold back the next ones', async () => {
  const { publishEvents, messages, lost } = given(() => new Promise(() => {}))
  const all = notifications(6)

  for (const notification of all) publishEvents([notification])
  await eventually(() => messages.flat().length === 6, 'all of them')

  expect([messages.flat(), lost]).toEqual([all.map(bodyOf), []])
})
