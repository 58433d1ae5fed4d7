// The migrations, the schema and the contract say the same thing in three languages.
import { expect, test } from 'vitest'
import { DeliveryStatus } from '#contract/deliveries.ts'
import { ProjectStatus } from '#contract/projects.ts'
import type { Database } from '#prisma/client.ts'
import { differenceToSchema } from '#prisma/diff.ts'
import { freshPglite } from '../support/database.ts'
import { onEachEngine, onPostgres, sharedDatabase } from '../support/database-engines.ts'
import { projectRow, workspaceRow } from './rows.ts'

test('the migrations lead to the schema, and a column that only the database has is noticed', async () => {
  const pglite = await freshPglite()

  expect(await differenceToSchema(pglite)).toBe('')
  await pglite.exec('ALTER TABLE project ADD COLUMN surprise TEXT')
  expect(await differenceToSchema(pglite)).toContain('DROP COLUMN "surprise"')
  await pglite.close()
})

onPostgres(() => {
  const [postgres, pglite] = [sharedDatabase('postgres'), sharedDatabase('pglite')]

  test('Postgres and PGlite end with the same tables, indexes and constraints', async () => {
    expect(await definitions(pglite.db)).toEqual(await definitions(postgres.db))
  })
})

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  test.each([
    { status: 'done' },
    { priority: 'asap' },
    { health: 'fine' },
    { key: 'a1' },
    { version: 0 },
    { externalSource: 'jira' },
    { status: 'completed', completedAt: null },
    { startDate: new Date('2026-02-02'), dueDate: new Date('2026-02-01') },
  ])('the database refuses a project with %j', async (wrong) => {
    const { db } = database
    const { id } = await db.workspace.create({ data: workspaceRow() })

    await expect(db.project.create({ data: projectRow(id, wrong) })).rejects.toThrow('project_')
  })

  test('the states that can be stored are those of the contract', async () => {
    const rules = await definitions(database.db)
    const allowed = (name: string) => valuesIn(rules.find((rule) => rule.startsWith(name)) ?? '')

    expect(allowed('project_status_check')).toEqual(ProjectStatus.enum)
    expect(allowed('delivery_status_check')).toEqual(DeliveryStatus.enum)
  })
})

const valuesIn = (rule: string): string[] => Array.from(rule.matchAll(/'([^']*)'::text/g), ([, value = '']) => value)

// Since version 18, Postgres also counts NOT NULL as a constraint.
async function definitions(db: Database): Promise<string[]> {
  const rows = await db.$queryRaw<{ line: string }[]>`
    SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype <> 'n'`
  return rows.map(({ line }) => line).toSorted()
}
