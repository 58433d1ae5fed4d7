import { expect, test } from 'vitest'
import { deleteOutdatedAnswers } from '../../service/execution/idempotency.ts'
import { freshDatabase } from '../support/database.ts'

test('kept answers are deleted when their time is over, and not before', async () => {
  await using database = await freshDatabase('pglite')
  const now = new Date()
  const record = (key: string, ageHours: number) => ({
    ...{ callerId: 'c', workspaceId: 'w', operation: 'projects.create', key, fingerprint: Buffer.alloc(32) },
    createdAt: new Date(now.getTime() - ageHours * 3_600_000),
  })
  await database.db.idempotencyRecord.createMany({
    data: [record('young', 23), record('old', 25), record('older', 100)],
  })

  expect(await deleteOutdatedAnswers(database.db, now)).toBe(2)
  expect(await database.db.idempotencyRecord.findMany({ select: { key: true } })).toEqual([{ key: 'young' }])
})
