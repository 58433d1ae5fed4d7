// The judge itself: what it refuses, and what it takes, of the forms that Prisma and this code write.
import { expect, test } from 'vitest'
import { unscopedTables } from './unscoped-tables.ts'

const tables = new Set(['project', 'task', 'delivery', 'webhook', 'api_key_workspace'])
const both = ['project', 'task']
const records = 'jsonb_to_recordset($1) AS k(workspace_id uuid)'
const judged = (sql: string) => unscopedTables(sql, tables)

test.each([
  ['no condition', 'SELECT id FROM project', ['project']],
  ['a condition on something else', 'SELECT id FROM project WHERE key = $1', ['project']],
  ['a query in an insert', 'INSERT INTO task (workspace_id, id) SELECT $1, id FROM project', ['project']],
  ['a query in a function', 'SELECT f((SELECT n FROM task t), 0) FROM project p WHERE p.workspace_id = $1', ['task']],
  ['one part of a union', 'SELECT 1 FROM project WHERE workspace_id = $1 UNION ALL SELECT 1 FROM task', ['task']],
  ['tables bound to each other only', 'SELECT 1 FROM project p JOIN task t ON t.workspace_id = p.workspace_id', both],
  ['all workspaces', 'SELECT 1 FROM workspace w JOIN task t ON t.workspace_id = w.id', ['task']],
  ['another than the one', 'SELECT 1 FROM task WHERE workspace_id <> $1', ['task']],
  ['rows up to one', 'SELECT 1 FROM task WHERE (workspace_id, id) <= ($1, $2)', ['task']],
  ['a range of workspaces', 'SELECT 1 FROM task WHERE workspace_id BETWEEN $1 AND $2', ['task']],
  ['a range of other rows', 'SELECT 1 FROM task WHERE (id, workspace_id) BETWEEN ($1, $2) AND ($3, $4)', ['task']],
  ['an update', 'UPDATE task SET title = $1 WHERE id = $2', ['task']],
  ['a delete by a list', 'DELETE FROM task USING project p WHERE p.workspace_id = $1 AND p.id = task.id', ['task']],
  ['an insert without the column', 'INSERT INTO task (id) VALUES ($1)', ['task']],
  ['a name of a query that is not yet there', 'WITH task AS (SELECT id FROM task) SELECT id FROM task', ['task']],
  ['what Prisma writes', 'SELECT "id" FROM "public"."task" WHERE "public"."task"."id" IN ($1)', ['task']],
])('%s is refused', (_what, sql, refused) => {
  expect(judged(sql)).toEqual(refused)
})

test.each([
  ['a condition', 'SELECT id FROM project WHERE workspace_id = $1::uuid AND key = $2 FOR UPDATE'],
  ['a list of workspaces', 'SELECT id FROM project p WHERE p.workspace_id = ANY ($1) AND p.a IS DISTINCT FROM $2'],
  ['keys in pairs', 'SELECT FROM "public"."task" WHERE ("public"."task"."workspace_id","id") IN (($1,$2),($3,$4))'],
  ['a join', 'SELECT FROM task t LEFT JOIN task AS u ON u.workspace_id = t.workspace_id WHERE t.workspace_id = $1'],
  ['a record set', `UPDATE delivery d SET tries = 1 FROM ${records} WHERE d.workspace_id = k.workspace_id`],
  ['a subquery', `SELECT FROM task t WHERE EXISTS (SELECT FROM ${records} WHERE k.workspace_id = t.workspace_id)`],
  ['a lateral one', `SELECT FROM ${records}, LATERAL (SELECT FROM task WHERE workspace_id = k.workspace_id) d`],
  ['a named query', 'WITH task AS MATERIALIZED (SELECT id FROM delivery WHERE workspace_id = $1) SELECT FROM task'],
  ['an upsert', 'INSERT INTO task AS t (workspace_id) VALUES ($1) ON CONFLICT (workspace_id) DO UPDATE SET id = $2'],
  ['rows in a query', "SELECT FROM (SELECT FROM task t WHERE (t.workspace_id, id) BETWEEN ($1, '0') AND ($1, 'f')) t"],
  ['grants of a key', 'SELECT 1 FROM api_key_workspace WHERE home_workspace_id = $1'],
  ['the one workspace', 'SELECT 1 FROM workspace w JOIN task t ON t.workspace_id = w.id WHERE w.id = $1'],
  ['no tenant’s table', 'SELECT number FROM key_change'],
])('%s is taken', (_what, sql) => {
  expect(judged(sql)).toEqual([])
})
