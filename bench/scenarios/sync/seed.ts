// Changes from before the reader starts: tasks with rising times, each with the event of its creation. One task is
// created over HTTP, the others are copies of its rows.
import type { Task } from '#contract/tasks.ts'
import type { Database } from '../../product/database.ts'

export async function seedChanges(
  database: Database,
  { workspaceId, id, projectId }: Task,
  count: number,
): Promise<void> {
  await database.session(async (query) => {
    // Foreign keys are not checked: all references exist.
    await query('SET session_replication_role = replica; SET synchronous_commit = off')
    const given = [workspaceId, id, count]
    await query(tasksText, given)
    await query(eventsText, [workspaceId])
    await query(`UPDATE project SET last_task_number = $3 WHERE workspace_id = $1 AND id = $2`, [
      workspaceId,
      projectId,
      count,
    ])
    await query(sequenceText, [workspaceId])
    await query('VACUUM (ANALYZE) task')
    await query('VACUUM (ANALYZE) event')
  })
}

// Before the first one, a millisecond apart: what is written later has later times.
const tasksText = `
  INSERT INTO task (workspace_id, id, project_id, number, title, status, priority, labels, position, version, created_at, updated_at,
    created_by, updated_by)
  SELECT workspace_id, gen_random_uuid(), project_id, number + n, title || n, status, priority, labels, position + n, version,
    created_at - (n || ' ms')::interval, updated_at - (n || ' ms')::interval, created_by, updated_by
  FROM task, generate_series(1, $3::int - 1) n WHERE workspace_id = $1 AND id = $2`

const eventsText = `
  WITH original AS (DELETE FROM event WHERE workspace_id = $1 AND type = 'tasks.created' RETURNING *),
    numbered AS (SELECT *, base + row_number() OVER (ORDER BY updated_at) AS place
      FROM task, (SELECT sequence - 1 AS base FROM original) b WHERE workspace_id = $1)
  INSERT INTO event (workspace_id, id, sequence, type, resource_id, project_id, changed_fields, body, occurred_at)
  SELECT $1, fresh, place, type, t.id, o.project_id, changed_fields,
    replace(replace(replace(body, o.resource_id::text, t.id::text), o.id::text, fresh::text),
      '"sequence":' || o.sequence, '"sequence":' || place), o.occurred_at
  FROM original o, (SELECT *, gen_random_uuid() AS fresh FROM numbered) t`

const sequenceText = `UPDATE event_sequence
  SET last = (SELECT max(sequence) FROM event WHERE workspace_id = $1) WHERE workspace_id = $1`
