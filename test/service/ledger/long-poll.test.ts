// Readers of the event feed: what they may ask for, and how they wait for the next event.
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { assertReadable } from '../../../service/ledger/feed.ts'
import { openLongPoll, type LongPollBounds } from '../../../service/ledger/long-poll.ts'
import { stageOn } from '../../dispatcher/stage.ts'
import { sharedDatabase } from '../../support/database-engines.ts'
import { eventually } from '../../support/eventually.ts'
import { quietService } from '../quiet-service.ts'

test('a caller may subscribe to the events that he may read; other events are refused with the missing scopes', () => {
  expect(() => assertReadable(['projects.*', 'webhooks.test'], ['projects:read', 'webhooks:write'])).not.toThrow()
  expect(() => assertReadable(['api-keys.*', 'webhooks.*', 'projects.*'], ['projects:read'])).toThrow(
    expect.objectContaining({
      code: 'insufficient_scope',
      members: { requiredScopes: ['api-keys:read', 'webhooks:read'] },
    }),
  )
})

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

test('an event that another process has recorded is found by polling', async () => {
  const stage = await open({ pollEveryMs: 20 })
  const waits = stage.waits()

  await stage.event()

  expect(await waits).toBe(true)
})

test('an event that is recorded between reading and waiting is found by the first poll', async () => {
  const stage = await open()
  await stage.event()

  expect(await stage.waits()).toBe(true)
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
