// Changes of keys are served to gateways that ask, for as long as one may have the key in its cache.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { deleteOutdatedKeyChanges, recentKeyChanges, recordKeyChanges } from '../../../../service/keys/api-keys/rows.ts'
import { onEachEngine } from '../../../support/database-engines.ts'
import { freshDatabase } from '../../../support/database.ts'

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000)

onEachEngine((kind) => {
  test('a change is served once it is committed, newest first, for longer than a gateway caches a key', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const [key, workspace, withdrawn] = [uuid(), uuid(), uuid()]
    const rolledBack = db.$transaction(async (tx) => {
      await recordKeyChanges(tx, [{ kind: 'api-key', id: withdrawn }])
      throw new Error('withdrawn')
    })
    await expect(rolledBack).rejects.toThrow('withdrawn')
    await db.keyChange.create({ data: { kind: 'api-key', subjectId: key, madeAt: secondsAgo(60) } })
    await db.keyChange.create({ data: { kind: 'api-key', subjectId: uuid(), madeAt: secondsAgo(120) } })

    await db.$transaction((tx) => recordKeyChanges(tx, [{ kind: 'workspace', id: workspace, version: 7 }]))

    expect(await recentKeyChanges(db)).toEqual({
      changes: [
        { number: expect.any(String), kind: 'workspace', id: workspace, version: 7 },
        { number: expect.any(String), kind: 'api-key', id: key },
      ],
      complete: true,
    })
  })

  test('an answer that leaves changes out says that it is not complete', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    await recordKeyChanges(
      db,
      Array.from({ length: 3 }, () => ({ kind: 'api-key' as const, id: uuid() })),
    )

    expect([(await recentKeyChanges(db, 3)).complete, (await recentKeyChanges(db, 2)).complete]).toEqual([true, false])
  })

  test('changes are deleted when no gateway asks for them any more', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const young = uuid()
    await db.keyChange.create({ data: { kind: 'api-key', subjectId: young, madeAt: secondsAgo(540) } })
    await db.keyChange.create({ data: { kind: 'api-key', subjectId: uuid(), madeAt: secondsAgo(660) } })

    await deleteOutdatedKeyChanges(db)

    expect(await db.keyChange.findMany({ select: { subjectId: true } })).toEqual([{ subjectId: young }])
  })
})
