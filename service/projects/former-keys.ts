// A key that tasks have borne stays with its project: links, messages and commits name tasks by it, and it must never
// lead to another project's.
import type { Project } from '#contract/project-schema.ts'
import { Fault } from '#contract/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call, Db } from '../execution/handler.ts'
import { taken } from '../faults/value-taken.ts'
import { rekeyBatch } from '../tasks/rekey.ts'

/** So many tasks change with the project, in its own transaction; the others follow. */
const tasksAtOnce = 100

/** Is the project's, or was another one's. */
export const keyIsTaken = (workspaceId: string, key: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  EXISTS (SELECT FROM project WHERE workspace_id = ${workspaceId}::uuid AND key = ${key})
  OR EXISTS (SELECT FROM project_former_key WHERE workspace_id = ${workspaceId}::uuid AND key = ${key}))`

export async function assertKeyFree({ workspaceId, id, key }: Project, { db }: Pick<Call, 'db'>): Promise<void> {
  const other = { workspaceId, key, NOT: { id } }
  const shown = { id: true, deletedAt: true } as const
  const duplicate = await db.project.findFirst({ where: other, select: shown })
  if (duplicate !== null) throw taken('key', duplicate)
  const former = await db.projectFormerKey.findUnique({
    where: { workspaceId_key: { workspaceId, key } },
    select: { project: { select: shown } },
  })
  if (former === null || former.project.id === id) return
  const { code, message, members } = taken('key', former.project)
  const hint = 'That project had this key before: its tasks are still found by it. Choose another.'
  throw new Fault(code, message, { hint, ...members })
}

/** Once the new key is written. */
export async function followKey(after: Project, before: Project, call: Call): Promise<void> {
  if (after.key === before.key) return
  const isWaiting = await keepFormerKey(call.db, after, before.key)
  // The calls of a batch have moments that follow each other closely: there is no room for others between them.
  if (isWaiting && !call.isSubcall) await rekeyBatch(after.id, tasksAtOnce, call)
}

/** Its tasks are gone with it: nothing is to be found by the keys that it had. */
export async function releaseKeys({ workspaceId, id }: Project, { db }: Pick<Call, 'db'>): Promise<void> {
  await db.projectFormerKey.deleteMany({ where: { workspaceId, projectId: id } })
}

/** Without tasks there is nothing to be found by it, and nothing to follow. */
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
