import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { eachCollection } from '../../service/collections.ts'
import { purgeDeleted, purgeableIn } from '../../service/purge-rows.ts'
import { stageOn } from '../dispatcher/stage.ts'
import { companyRow, projectRow } from '../prisma/rows.ts'
import { onEachEngine, onPostgres, sharedDatabase } from '../support/database-engines.ts'
import { holdLock } from '../support/database-locks.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const over = { deletedAt: daysAgo(31) }
const young = { deletedAt: daysAgo(29) }
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  async function given() {
    const { db } = database
    const rows = await stageOn(db)
    const { workspaceId } = rows
    const task = (projectId: string, number: number, more = {}) => {
      const { createdAt, updatedAt, createdBy, updatedBy } = projectRow(workspaceId)
      const fields = { projectId, number, title: 'Task', status: 'backlog', priority: 'none', labels: [] }
      const stamps = { version: 1, createdAt, updatedAt, createdBy, updatedBy }
      return db.task.create({ data: { workspaceId, id: uuid(), position: number, ...fields, ...stamps, ...more } })
    }
    const company = (more = {}) => db.crmEntity.create({ data: companyRow(workspaceId, more) })
    const project = (more = {}) => db.project.create({ data: projectRow(workspaceId, more) })
    return { ...rows, task, company, project, own: { where: { workspaceId } } }
  }

  test('what was deleted more than 30 days ago is gone; what may still be restored, or is not deleted, stays', async () => {
    const { db, company, own } = await given()
    const [, kept, live] = [await company(over), await company(young), await company()]

    expect(await purgeDeleted(db)).toBe(1)

    expect(new Set(idsOf(await db.crmEntity.findMany(own)))).toEqual(new Set(idsOf([kept, live])))
  })

  test('what is still referred to stays until that is gone; what belongs to it alone goes with it', async () => {
    const { db, workspaceId, company, project, task, own } = await given()
    const { id: crmEntityId } = await company(over)
    const { id: projectId } = await project({ companyId: crmEntityId })
    const parent = await task(projectId, 1, over)
    const child = await task(projectId, 2, { parentTaskId: parent.id })
    await db.taskCrmEntity.create({ data: { workspaceId, taskId: child.id, crmEntityId, position: 0 } })

    expect(await purgeDeleted(db)).toBe(0)

    await db.task.updateMany({ ...own, data: over })
    await db.project.updateMany({ ...own, data: over })
    while ((await purgeDeleted(db, 1)) > 0);
    const left = [db.task.count(own), db.project.count(own), db.crmEntity.count(own), db.taskCrmEntity.count(own)]
    expect(await Promise.all(left)).toEqual([0, 0, 0, 0])
  })

  test('what is in a project goes with it, parents after their sub-tasks', async () => {
    const { db, project, task, own } = await given()
    const [gone, stays] = [await project({ ...over, key: 'GONE' }), await project({ ...young, key: 'STAYS' })]
    const parent = await task(gone.id, 1)
    await task(gone.id, 2, { parentTaskId: parent.id })
    const kept = await task(stays.id, 1)

    while ((await purgeDeleted(db)) > 0);

    expect(idsOf(await db.task.findMany(own))).toEqual([kept.id])
    expect(idsOf(await db.project.findMany(own))).toEqual([stays.id])
  })

  test('what is of a workspace with a legal hold stays until that is released, and that of others goes', async () => {
    const [held, other] = [await given(), await given()]
    const { db, workspaceId } = held
    for (const { company } of [held, other]) await company(over)
    const hold = { workspaceId, reason: 'Case 4711', createdAt: new Date(), createdBy: {} }
    await db.legalHold.create({ data: hold })

    expect(await purgeDeleted(db)).toBe(1)

    expect([await db.crmEntity.count(held.own), await db.crmEntity.count(other.own)]).toEqual([1, 0])
    await db.legalHold.deleteMany()
    expect(await purgeDeleted(db)).toBe(1)
  })

  test('a webhook goes with its secrets, a workspace’s rows only by their own age', async () => {
    const [one, other] = [await given(), await given()]
    const { db } = one
    for (const { webhook } of [one, other]) await webhook({ url: 'https://example.com/hook' })
    await db.webhook.updateMany({ ...one.own, data: over })

    expect(await purgeDeleted(db)).toBe(1)

    const left = ({ own }: typeof one) => Promise.all([db.webhook.count(own), db.webhookSecret.count(own)])
    expect([await left(one), await left(other)]).toEqual([
      [0, 0],
      [1, 1],
    ])
  })

  test('the list names every reference that would keep a row, and every table with soft-deleted rows', async () => {
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

onPostgres(() => {
  const database = sharedDatabase('postgres')

  test('a workspace in which a change is under way is passed over, and holds up nobody', async () => {
    const { db, url } = database
    const [busy, idle] = [await stageOn(db), await stageOn(db)]
    for (const { workspaceId } of [busy, idle]) await db.crmEntity.create({ data: companyRow(workspaceId, over) })
    const row = 'SELECT FROM event_sequence WHERE workspace_id = $1 FOR UPDATE'
    await using change = await holdLock(url, row, [busy.workspaceId])

    expect(await purgeDeleted(db)).toBe(1)

    expect(await db.crmEntity.findMany()).toMatchObject([{ workspaceId: busy.workspaceId }])
    await change.letGo()
    expect(await purgeDeleted(db)).toBe(1)
  })
})
