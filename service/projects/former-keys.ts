// A key that tasks have had stays with its project when the project gets another: links, messages and commits name
// tasks by it, and it must never lead to another project's tasks.
import type { Project } from '#contract/projects.ts'
import type { Call, Db } from '../execution/handler.ts'
import { rekeyBatch } from '../tasks/rekey.ts'

/** So many tasks get the new key with the project, in the same transaction; the others in the background. */
const tasksAtOnce = 100

/** Called once the project's row is written. */
export async function followNewKey(after: Project, before: Project, call: Call): Promise<void> {
  if (after.key === before.key) return
  const hasTasks = await keepFormerKey(call.db, after, before.key)
  // The items of a batch are a millisecond apart: there is no room for other changes between them.
  if (hasTasks && !call.isSubcall) await rekeyBatch(after.id, tasksAtOnce, call)
}

/** For a purged project: its tasks are purged too, so that its former keys lead to nothing. */
export async function releaseKeys({ workspaceId, id }: Project, { db }: Pick<Call, 'db'>): Promise<void> {
  await db.projectFormerKey.deleteMany({ where: { workspaceId, projectId: id } })
}

/** Returns false, and keeps nothing, when the project never had a task. */
async function keepFormerKey(tx: Db, { workspaceId, id, key }: Project, former: string): Promise<boolean> {
  await tx.$executeRaw`DELETE FROM project_former_key
    WHERE workspace_id = ${workspaceId}::uuid AND key = ${key} AND project_id = ${id}::uuid`
  const kept = await tx.$executeRaw`
    WITH waiting AS (
      UPDATE project SET rekeyed_through = 0
      WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND last_task_number > 0
      RETURNING workspace_id, id
    )
    INSERT INTO project_former_key (workspace_id, key, project_id) SELECT workspace_id, ${former}, id FROM waiting`
  return kept > 0
}
