// Events and their outbox rows are written together, however many a change has.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { projectArchived } from '#contract/projects.ts'
import { transact } from '#prisma/transaction.ts'
import type { EmittedEvent } from '../../../service/execution/call.ts'
import { recordEvents } from '../../../service/ledger/record-events.ts'
import { stageOn } from '../../dispatcher/stage.ts'
import { freshDatabase } from '../../support/database.ts'
import { onEachEngine } from '../../support/database-engines.ts'

const emission = (): EmittedEvent => {
  const [id, at] = [uuid(), new Date()]
  return { id, at, event: projectArchived, after: { id: uuid(), name: 'b' }, before: { name: 'a' }, about: undefined }
}

onEachEngine((kind) => {
  test('each event of a change has an outbox row, a sequence in the order of the changes, and a notification', async () => {
    await using database = await freshDatabase(kind)
    const { db, workspaceId } = await stageOn(database.db)
    const emissions = Array.from({ length: 5 }, emission)
    const ids = emissions.map(({ id }) => id)
    const actor = { type: 'system', id: 'test', name: 'Test' } as const
    const call = { workspaceId, now: new Date(), actor, principal: { requestId: 'r' } }

    const notifications = await transact(db, (tx) =>
      recordEvents(tx, emissions, call as Parameters<typeof recordEvents>[2]),
    )

    const events = await db.event.findMany({ orderBy: { sequence: 'asc' } })
    const outboxRows = await db.outbox.findMany({ orderBy: { eventId: 'asc' } })
    expect(events.map(({ id, sequence }) => [id, Number(sequence)])).toEqual(ids.map((id, n) => [id, n + 1]))
    expect(events.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence)).toEqual([1, 2, 3, 4, 5])
    expect(outboxRows).toMatchObject(ids.toSorted().map((eventId) => ({ eventId, workspaceId })))
    expect(notifications).toEqual(ids.map((eventId) => ({ eventId, workspaceId })))
  })
})
