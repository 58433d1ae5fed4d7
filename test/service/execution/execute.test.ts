// What others are told of a change is told once it is committed, and never of one that was not.
import { expect, test } from 'vitest'
import { apiKeyRotated } from '#contract/api-keys.ts'
import type { EventNotification } from '#contract/internal/deliveries.ts'
import type { Database } from '#prisma/client.ts'
import { changeAsSystem } from '../../../service/execution/change.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { onPostgres } from '../../support/database-engines.ts'
import { quietService } from '../quiet-service.ts'

/** Counted by another connection, when it is told: of what was told, how much is there to be seen. */
async function given() {
  const seen: Promise<[string, number]>[] = []
  const look = (what: string, count: Promise<number>) => void seen.push(count.then((n) => [what, n]))
  let db: Database | undefined
  const notifyEvents = (notifications: readonly EventNotification[]) => {
    const ids = notifications.map(({ eventId }) => eventId)
    if (db && ids.length > 0) look('events', db.event.count({ where: { id: { in: ids } } }))
  }
  const service = await quietService(
    'postgres',
    { waitForEvents: () => Promise.resolve(false), notifyEvents },
    { notifyKeyChange: ({ id }) => db && look('key', db.keyChange.count({ where: { subjectId: id } })) },
  )
  const { body } = await service.settings('POST', '/api-keys', { name: 'k', scopes: ['projects:read'] })
  ;({ db } = service)
  const id = String(body.id)
  return {
    ...service,
    id,
    rotate: (key?: string) =>
      service.settings('POST', `/api-keys/${id}/rotate`, {}, key === undefined ? {} : { 'idempotency-key': key }),
    notifyEvents,
    told: () => Promise.all(seen.splice(0)),
  }
}

/** As a connection that is lost at the last moment would: all statements pass, and the commit does not. */
async function refuseCommits(db: Database): Promise<void> {
  await db.$executeRaw`
    CREATE FUNCTION refuse_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not committed'; END $$`
  await db.$executeRaw`
    CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION refuse_commit()`
}

onPostgres(() => {
  test('what has changed can be seen by whoever is told of it, of what is not committed nobody is told', async () => {
    await using service = await given()
    const { db, workspaceId, id, rotate, notifyEvents, told } = service
    /** What the service does of its own accord. */
    const act = () =>
      changeAsSystem<typeof apiKeyRotated>(changeDeps(db, { notifyEvents }), workspaceId, null, async ({ emit }) => {
        emit(apiKeyRotated, { id } as never)
      })

    for (const [at, key] of ['first', undefined].entries()) {
      expect(await rotate(key)).toMatchObject({ status: 200 })
      expect(Object.fromEntries(await told())).toEqual({ events: 1, key: at + 1 })
    }
    await act()
    expect(await told()).toEqual([['events', 1]])

    await refuseCommits(db)
    for (const key of ['second', undefined]) expect(await rotate(key)).toMatchObject({ status: 500 })
    await expect(act()).rejects.toThrow('not committed')
    expect(await told()).toEqual([])
    expect(await db.keyChange.count({ where: { subjectId: id } })).toBe(2)
  })
})
