import { expect, test } from 'vitest'
import { openLongPoll, type LongPollBounds } from '../../../service/ledger/long-poll.ts'
import { stageOn } from '../../dispatcher/stage.ts'
import { freshDatabase } from '../../support/database.ts'
import type { AddressInfo } from 'node:net'
import { eventually } from '../../support/eventually.ts'
import { quietService } from '../quiet-service.ts'

const never = new AbortController().signal
const neverPolling: LongPollBounds = { all: 3, perWorkspace: 2, pollEveryMs: 600_000 }

async function open(bounds: LongPollBounds) {
  const database = await freshDatabase('pglite')
  const rows = await stageOn(database.db)
  const errors: unknown[] = []
  const longPoll = openLongPoll(database.db, (error) => errors.push(error), bounds)
  return {
    ...rows,
    ...longPoll,
    errors,
    [Symbol.asyncDispose]: async () => {
      await longPoll.close()
      await database.close()
    },
  }
}

test('a waiting caller is woken by an event of his workspace and of no other', async () => {
  await using stage = await open(neverPolling)
  const mine = stage.waitForEvents(stage.workspaceId, 0, never)
  const other = stage.waitForEvents('01999999-0000-7000-8000-000000000000', 0, never)

  stage.notify(stage.workspaceId)

  expect(await mine).toBe(true)
  await stage.close()
  expect(await other).toBe(false)
})

test('an event that another process has recorded is found by polling', async () => {
  await using stage = await open({ all: 3, perWorkspace: 2, pollEveryMs: 20 })
  const waits = stage.waitForEvents(stage.workspaceId, 0, never)

  await stage.event()

  expect(await waits).toBe(true)
})

test('an event that is recorded between reading and waiting is found by the first poll', async () => {
  await using stage = await open(neverPolling)
  await stage.event()

  expect(await stage.waitForEvents(stage.workspaceId, 0, never)).toBe(true)
})

test('a caller whose signal is aborted waits no longer, and another may wait instead', async () => {
  await using stage = await open({ ...neverPolling, perWorkspace: 1 })
  const caller = new AbortController()
  const first = stage.waitForEvents(stage.workspaceId, 0, caller.signal)
  caller.abort()
  const second = stage.waitForEvents(stage.workspaceId, 0, never)

  stage.notify(stage.workspaceId)

  expect(await first).toBe(false)
  expect(await second).toBe(true)
  expect(await stage.waitForEvents(stage.workspaceId, 0, caller.signal)).toBe(false)
})

test('nobody waits beyond the bounds, of one workspace and of all', async () => {
  await using stage = await open(neverPolling)
  const held = [stage.waitForEvents(stage.workspaceId, 0, never), stage.waitForEvents(stage.workspaceId, 0, never)]

  expect(await stage.waitForEvents(stage.workspaceId, 0, never)).toBe(false)
  held.push(stage.waitForEvents('01999999-0000-7000-8000-000000000000', 0, never))
  expect(await stage.waitForEvents('01999999-0000-7000-8000-000000000001', 0, never)).toBe(false)

  await stage.close()
  expect(await Promise.all(held)).toEqual([false, false, false])
})

test('nobody waits after the close', async () => {
  await using stage = await open(neverPolling)
  const held = stage.waitForEvents(stage.workspaceId, 0, never)

  await stage.close()

  expect(await held).toBe(false)
  expect(await stage.waitForEvents(stage.workspaceId, 0, never)).toBe(false)
  expect(stage.errors).toEqual([])
})

// A caller who disconnects while he waits for events.

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
