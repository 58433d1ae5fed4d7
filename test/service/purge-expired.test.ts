import { Client } from 'pg'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { eachCollection } from '../../service/collections.ts'
import { purgeDeleted, purgeableIn } from '../../service/purge-expired.ts'
import { projectRow } from '../prisma/rows.ts'
import { stageOn } from '../dispatcher/stage.ts'
import { freshDatabase } from '../support/database.ts'
import { onEachEngine } from '../support/database-engines.ts'
import { services } from '../support/services.ts'

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
const actor = { type: 'system', id: 'test', name: 'Test' }
const stamps = { version: 1, createdAt: daysAgo(90), updatedAt: daysAgo(90), createdBy: actor, updatedBy: actor }

const entityRow = (workspaceId: string, more: object = {}) => ({
  workspaceId,
  id: uuid(),
  kind: 'company',
  name: 'Acme',
  labels: [],
  phones: [],
  ...stamps,
  ...more,
})
const taskRow = (workspaceId: string, projectId: string, number: number, more: object = {}) => ({
  workspaceId,
  id: uuid(),
  projectId,
  number,
  title: 'Task',
  status: 'backlog',
  priority: 'none',
  labels: [],
  position: number,
  ...stamps,
  ...more,
})

onEachEngine((kind) => {
  test('what was deleted more than 30 days ago is gone; what may still be restored, or is not deleted, stays', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const { workspaceId } = await stageOn(db)
    await db.crmEntity.create({ data: entityRow(workspaceId, { deletedAt: daysAgo(31) }) })
    const young = await db.crmEntity.create({ data: entityRow(workspaceId, { deletedAt: daysAgo(29) }) })
    const live = await db.crmEntity.create({ data: entityRow(workspaceId) })

    expect(await purgeDeleted(db)).toBe(1)

    const left = await db.crmEntity.findMany({ select: { id: true } })
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([young.id, live.id]))
  })

  test('what is still referred to stays until that is gone; what belongs to it alone goes with it', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const { workspaceId } = await stageOn(db)
    const deletedAt = daysAgo(31)
    const company = await db.crmEntity.create({ data: entityRow(workspaceId, { deletedAt }) })
    const project = await db.project.create({ data: { ...projectRow(workspaceId), companyId: company.id } })
    const [parent, child] = [
      await db.task.create({ data: taskRow(workspaceId, project.id, 1, { deletedAt }) }),
      await db.task.create({ data: taskRow(workspaceId, project.id, 2) }),
    ]
    await db.task.update({
      where: { workspaceId_id: { workspaceId, id: child.id } },
      data: { parentTaskId: parent.id },
    })
    await db.taskCrmEntity.create({
      data: { workspaceId, taskId: child.id, crmEntityId: company.id, position: 0 },
    })

    expect(await purgeDeleted(db)).toBe(0)

    await db.task.updateMany({ data: { deletedAt } })
    await db.project.updateMany({ data: { deletedAt } })
    while ((await purgeDeleted(db, 1)) > 0);
    expect([await db.task.count(), await db.project.count(), await db.crmEntity.count()]).toEqual([0, 0, 0])
    expect(await db.taskCrmEntity.count()).toBe(0)
  })

  test('what is in a project goes with it, parents after their sub-tasks', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const { workspaceId } = await stageOn(db)
    const gone = await db.project.create({ data: projectRow(workspaceId, { deletedAt: daysAgo(31), key: 'GONE' }) })
    const stays = await db.project.create({ data: projectRow(workspaceId, { deletedAt: daysAgo(29), key: 'STAYS' }) })
    const parent = await db.task.create({ data: taskRow(workspaceId, gone.id, 1) })
    await db.task.create({ data: taskRow(workspaceId, gone.id, 2, { parentTaskId: parent.id }) })
    const kept = await db.task.create({ data: taskRow(workspaceId, stays.id, 1) })

    while ((await purgeDeleted(db)) > 0);

    expect((await db.task.findMany()).map(({ id }) => id)).toEqual([kept.id])
    expect((await db.project.findMany()).map(({ id }) => id)).toEqual([stays.id])
  })

  test('a webhook goes with its secrets, a workspace’s rows only by their own age', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const [one, other] = [await stageOn(db), await stageOn(db)]
    const id = await one.webhook({ url: 'https://example.com/hook' })
    await other.webhook({ url: 'https://example.com/hook' })
    await db.webhook.updateMany({ where: { id }, data: { deletedAt: daysAgo(31) } })

    expect(await purgeDeleted(db)).toBe(1)

    expect([await db.webhook.count(), await db.webhookSecret.count()]).toEqual([1, 1])
  })

  test('the list names every reference that would keep a row, and every table with soft-deleted rows', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database

    const holding = await db.$queryRaw<{ table: string; column: string }[]>`
      SELECT c.confrelid::regclass::text AS table, c.conrelid::regclass::text || '.' || a.attname AS column
      FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[2]
      WHERE c.contype = 'f' AND c.confdeltype <> 'c' AND cardinality(c.conkey) = 2`
    const tables = await db.$queryRaw<{ table: string }[]>`
      SELECT table_name AS table FROM information_schema.columns
      WHERE column_name = 'deleted_at' AND table_schema = 'public'`

    const purgeable = purgeableIn(eachCollection)
    for (const { table, heldBy } of purgeable) {
      const known = holding.filter((each) => each.table === table).map(({ column }) => column)
      expect([table, heldBy.map((place) => place.join('.'))]).toEqual([table, expect.arrayContaining(known)])
    }
    // Others' fields name a member who was removed.
    const names = tables.map(({ table }) => table).filter((table) => table !== 'member')
    expect(new Set(purgeable.map(({ table }) => table))).toEqual(new Set(names))
  })
})

test.skipIf(services().postgres === null)(
  'a workspace in which a change is under way is passed over, and holds up nobody',
  async () => {
    await using database = await freshDatabase('postgres')
    const { db, url = '' } = database
    const [busy, idle] = [await stageOn(db), await stageOn(db)]
    for (const { workspaceId } of [busy, idle])
      await db.crmEntity.create({ data: entityRow(workspaceId, { deletedAt: daysAgo(31) }) })
    const other = new Client({ connectionString: url })
    await other.connect()
    await other.query('BEGIN')
    await other.query('SELECT FROM event_sequence WHERE workspace_id = $1 FOR UPDATE', [busy.workspaceId])

    const purged = await purgeDeleted(db)
    const left = await db.crmEntity.findMany({ select: { workspaceId: true } })
    await other.query('COMMIT')
    await other.end()

    expect([purged, left]).toEqual([1, [{ workspaceId: busy.workspaceId }]])
    expect(await purgeDeleted(db)).toBe(1)
  },
)
