import { expect, test } from 'vitest'
import { openWaiting, type Bounds } from '../../../service/events/long-poll.ts'
import { stageOn } from '../../dispatcher/stage.ts'
import { freshDatabase } from '../../support/database.ts'

const never = new AbortController().signal
const neverLooking: Bounds = { all: 3, perWorkspace: 2, lookEveryMs: 600_000 }

async function open(bounds: Bounds) {
  const database = await freshDatabase('pglite')
  const rows = await stageOn(database.db)
  const errors: unknown[] = []
  const waiting = openWaiting(database.db, (error) => errors.push(error), bounds)
  return {
    ...rows,
    ...waiting,
    errors,
    [Symbol.asyncDispose]: async () => {
      await waiting.close()
      await database.close()
    },
  }
}

test('whoever waits is told of an event of his workspace, and of no other', async () => {
  await using stage = await open(neverLooking)
  const mine = stage.more(stage.workspaceId, 0, never)
  const other = stage.more('01999999-0000-7000-8000-000000000000', 0, never)

  stage.tell(stage.workspaceId)

  expect(await mine).toBe(true)
  await stage.close()
  expect(await other).toBe(false)
})

test('what another process has recorded is seen by looking', async () => {
  await using stage = await open({ all: 3, perWorkspace: 2, lookEveryMs: 20 })
  const waits = stage.more(stage.workspaceId, 0, never)

  await stage.event()

  expect(await waits).toBe(true)
})

test('an event that came between reading and waiting is seen by the first look', async () => {
  await using stage = await open(neverLooking)
  await stage.event()

  expect(await stage.more(stage.workspaceId, 0, never)).toBe(true)
})

test('who leaves, or whose time is over, waits no more and leaves his place to others', async () => {
  await using stage = await open({ ...neverLooking, perWorkspace: 1 })
  const leaving = new AbortController()
  const first = stage.more(stage.workspaceId, 0, leaving.signal)
  leaving.abort()
  const second = stage.more(stage.workspaceId, 0, never)

  stage.tell(stage.workspaceId)

  expect(await first).toBe(false)
  expect(await second).toBe(true)
  expect(await stage.more(stage.workspaceId, 0, leaving.signal)).toBe(false)
})

test('beyond the bounds, of a workspace and of all, nobody waits', async () => {
  await using stage = await open(neverLooking)
  const held = [stage.more(stage.workspaceId, 0, never), stage.more(stage.workspaceId, 0, never)]

  expect(await stage.more(stage.workspaceId, 0, never)).toBe(false)
  held.push(stage.more('01999999-0000-7000-8000-000000000000', 0, never))
  expect(await stage.more('01999999-0000-7000-8000-000000000001', 0, never)).toBe(false)

  await stage.close()
  expect(await Promise.all(held)).toEqual([false, false, false])
})

test('after the close nobody waits', async () => {
  await using stage = await open(neverLooking)
  const held = stage.more(stage.workspaceId, 0, never)

  await stage.close()

  expect(await held).toBe(false)
  expect(await stage.more(stage.workspaceId, 0, never)).toBe(false)
  expect(stage.errors).toEqual([])
})
