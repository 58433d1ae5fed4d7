// The keys of projects, present and former. A key is unique in the workspace, former ones and those of deleted projects
// included.
import { Fault } from '#contract/faults/fault.ts'
import type { Project } from '#contract/projects.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Call, Db } from '../execution/call.ts'
import { valueTaken } from '../faults/shared-faults.ts'
import { projectsOfKey } from '../tasks/rows.ts'
import { keyCandidates } from './rules.ts'

const randomCandidates = 5

/** The condition that a project of the workspace has the key or had it. */
const keyIsTaken = (workspaceId: string, key: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  EXISTS (SELECT FROM project WHERE workspace_id = ${workspaceId}::uuid AND key = ${key})
  OR EXISTS (SELECT FROM project_former_key WHERE workspace_id = ${workspaceId}::uuid AND key = ${key}))`

/** The first key made from the project's name that is free, as SQL for the insert. */
export const freeKey = ({ workspaceId, name }: Project): Prisma.Sql => Prisma.sql`(
  SELECT candidate FROM unnest(${[...keyCandidates(name, Math.random, randomCandidates)]}::text[]) WITH ORDINALITY
    AS c (candidate, preference)
  WHERE NOT ${keyIsTaken(workspaceId, Prisma.sql`candidate`)}
  ORDER BY preference LIMIT 1)`

/** Throws `duplicate` when another project has the key or had it. */
export async function assertKeyFree({ workspaceId, id, key }: Project, { db }: Pick<Call, 'db'>): Promise<void> {
  const shown = { id: true, deletedAt: true } as const
  const duplicate = await db.project.findFirst({ where: { workspaceId, key, NOT: { id } }, select: shown })
  if (duplicate !== null) throw valueTaken('key', duplicate)
  const former = await db.projectFormerKey.findUnique({
    where: { workspaceId_key: { workspaceId, key } },
    select: { project: { select: shown } },
  })
  if (former === null || former.project.id === id) return
  const { code, message, members } = valueTaken('key', former.project)
  const hint = 'That project had this key before: its tasks are still found by it. Choose another.'
  throw new Fault(code, message, { hint, ...members })
}

/** Frees the former keys of a purged project, whose tasks are purged too. */
export async function releaseKeys({ workspaceId, id }: Project, { db }: Pick<Call, 'db'>): Promise<void> {
  await db.projectFormerKey.deleteMany({ where: { workspaceId, projectId: id } })
}

const deleteFormerKey = command(
  ({ workspaceId, id, key }: Pick<Project, 'workspaceId' | 'id' | 'key'>) => Prisma.sql`DELETE FROM project_former_key
    WHERE workspace_id = ${workspaceId}::uuid AND key = ${key} AND project_id = ${id}::uuid`,
)

const insertFormerKey = command(
  (workspaceId: string, id: string, former: string) => Prisma.sql`
    WITH waiting AS (
      UPDATE project SET rekeyed_through = 0
      WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND last_task_number > 0
      RETURNING workspace_id, id
    )
    INSERT INTO project_former_key (workspace_id, key, project_id) SELECT workspace_id, ${former}, id FROM waiting`,
)

/** Returns false, and keeps nothing, when the project never had a task. */
export async function keepFormerKey(tx: Db, { workspaceId, id, key }: Project, former: string): Promise<boolean> {
  await deleteFormerKey(tx, { workspaceId, id, key })
  const kept = await insertFormerKey(tx, workspaceId, id, former)
  return kept > 0
}

/** Selects the ids of projects that have this key or had it. */
export const byKey = (q: string, workspaceId: string): Prisma.Sql | null =>
  /^[a-z]{2,10}$/i.test(q.trim()) ? projectsOfKey(q.trim().toUpperCase(), workspaceId) : null

/** The tasks of each of these projects that are not deleted. */
export const countTasksByStatus = query(
  { projectId: column.uuid, status: column.text, count: column.bigint },
  (workspaceId: string, projectIds: readonly string[]) => Prisma.sql`
    SELECT project_id AS "projectId", status, count(*) AS count FROM task
    WHERE workspace_id = ${workspaceId}::uuid AND project_id = ANY(${projectIds}::uuid[]) AND deleted_at IS NULL
    GROUP BY project_id, status`,
)
