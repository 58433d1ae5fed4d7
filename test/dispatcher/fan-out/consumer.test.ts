// Notifications of events, and when events are looked for that had none.
import { v7 as uuid } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { headersOfTraces, type MessageHeaders } from '#contract/internal/deliveries.ts'
import { newTraceparent } from '#runtime/tracing/trace-context.ts'
import { notificationConsumer, heldMax } from '../../../dispatcher/fan-out/consumer.ts'
import { staleAfterMs } from '../../../dispatcher/fan-out/missed-events-sweeper.ts'
import { eventually } from '../../support/eventually.ts'
import { silent } from '../stage.ts'

const away = () => Promise.reject(new Error('database away'))

function given(fanOut: (eventIds: readonly string[]) => Promise<void>) {
  const acked: number[] = []
  const rejected: string[] = []
  const consumer = notificationConsumer(fanOut, silent)
  onTestFinished(consumer.close)
  const receive = (body: string) =>
    consumer.onMessage({ body, headers: {}, ack: () => {}, reject: () => void rejected.push(body) })
  const say = (count: number) => {
    for (let n = 0; n < count; n++) {
      const body = JSON.stringify([{ eventId: uuid(), workspaceId: uuid() }])
      consumer.onMessage({ body, headers: {}, ack: () => void acked.push(n), reject: () => {} })
    }
  }
  return { consumer, acked, rejected, say, receive }
}

test('what each event was sent within is in the headers of its message; what has another form is left out', async () => {
  const within: [string, string][] = []
  const consumer = notificationConsumer(async (ids, sentWithin) => {
    for (const id of ids) within.push([id, sentWithin.get(id) ?? 'nothing'])
  }, silent)
  onTestFinished(consumer.close)
  const ids = Array.from({ length: 6 }, () => uuid())
  const receive = (eventIds: readonly string[], headers: MessageHeaders) => {
    const body = JSON.stringify(eventIds.map((eventId) => ({ eventId, workspaceId: uuid() })))
    consumer.onMessage({ body, headers, ack: () => {}, reject: () => {} })
  }
  const [one, other] = [newTraceparent(), newTraceparent()]

  receive(ids.slice(0, 2), headersOfTraces([one, one]))
  receive(ids.slice(2, 4), headersOfTraces([one, other]))
  receive(ids.slice(4), { traceparent: 'junk', traceparents: [one] })
  await eventually(() => within.length === 6, 'all of them')

  expect(within.map(([, traceparent]) => traceparent)).toEqual([one, one, one, other, 'nothing', 'nothing'])
  expect(headersOfTraces([one, one])).toEqual({ traceparent: one })
})

test('notifications are fanned out in two batches at a time, of fifty at most, and acked afterwards', async () => {
  const sizes: number[] = []
  let [done, underWay, most] = [0, 0, 0]
  const { acked, say } = given(async (eventIds) => {
    expect(acked.length).toBeLessThanOrEqual(done)
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setImmediate(resolve))
    underWay--
    done += eventIds.length
    sizes.push(eventIds.length)
  })
  say(120)
  await eventually(() => acked.length === 120, 'all acked')
  expect([most, ...sizes.toSorted((one, other) => one - other)]).toEqual([2, 20, 50, 50])
})

test('while the database is away nothing is acked, and it is not asked without pause', async () => {
  let tries = 0
  const { acked, say } = given(async () => {
    if (++tries < 3) await away()
    expect(acked).toEqual([])
  })
  const before = performance.now()
  say(2)
  await eventually(() => acked.length === 2, 'both acked')
  expect(tries).toBe(3)
  expect(performance.now() - before).toBeGreaterThan(250)
})

test('what is closed while the database is away stays unacked', async () => {
  const { consumer, acked, say } = given(away)
  say(60)
  await consumer.close()
  say(1)
  expect(acked).toEqual([])
})

test('no more is held than the bound', async () => {
  const open = Promise.withResolvers<void>()
  let seen = 0
  const { acked, say } = given(async (eventIds) => {
    await open.promise
    seen += eventIds.length
  })
  say(heldMax + 100)
  open.resolve()
  await eventually(() => acked.length === heldMax, 'as many as fit acked')
  expect(seen).toBe(heldMax)
})

test('a message without notifications is rejected, once, and nothing beside it', async () => {
  const { acked, rejected, say, receive } = given(async () => {})
  const junk = ['', 'junk', '[]', '{"eventId":"x"}', JSON.stringify([{ eventId: uuid(), workspaceId: 'elsewhere' }])]
  say(1)
  junk.forEach(receive)
  say(1)
  await eventually(() => acked.length === 2, 'both notifications acked')
  expect(rejected).toEqual(junk)
})

test.each([
  ['5 seconds while notifications come', true, 0, false, 5_000],
  ['5 seconds when the last one came just now', true, 999, false, 5_000],
  ['a second when the connection is gone', false, 0, false, 1_000],
  ['a second when no notification has come for a second', true, 1_000, false, 1_000],
  ['a second when there never was one', true, Infinity, false, 1_000],
  ['a second when the last sweep has found events without a notification', true, 0, true, 1_000],
])('an event is looked for after %s', (_when, connected, quietMs, found, afterMs) => {
  expect(staleAfterMs({ isConnected: () => connected, idleMs: () => quietMs }, found)).toBe(afterMs)
})
