// A task's identifier is its project's key and a number, `WEB-42`. A task is found by its former identifiers too: by
// the former keys of its project, and by the numbers that it had in other projects.
import { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'

const form = /^([a-z]{2,10})-(\d{1,10})$/i
const numberMax = 2_147_483_647

/** The condition for the task `t` that has this identifier or had it. */
export function byIdentifier(q: string, workspaceId: string): Prisma.Sql {
  const [, key = '', digits] = form.exec(q.trim()) ?? []
  const number = Number(digits)
  if (!(number <= numberMax)) return Prisma.sql`FALSE`
  const inProject = Prisma.sql`workspace_id = ${workspaceId}::uuid AND number = ${number}::int
    AND project_id IN (${projectsOfKey(key.toUpperCase(), workspaceId)})`
  return Prisma.sql`t.id = ANY(ARRAY(SELECT id FROM task WHERE ${inProject}
    UNION ALL SELECT task_id FROM task_former_number WHERE ${inProject}))`
}

/** The id of the project that has this key or had it, as SQL. */
export const projectsOfKey = (key: string, workspaceId: string): Prisma.Sql => Prisma.sql`
  SELECT id FROM project WHERE workspace_id = ${workspaceId}::uuid AND key = ${key}
  UNION ALL SELECT project_id FROM project_former_key WHERE workspace_id = ${workspaceId}::uuid AND key = ${key}`

type Numbered = {
  readonly workspaceId: string
  readonly id: string
  readonly projectId: string
  readonly number: number
}

/** Keeps the number for a task that moves to another project: no other task ever gets it. */
export async function keepFormerNumber(
  tx: Db,
  { workspaceId, projectId, number, id: taskId }: Numbered,
): Promise<void> {
  await tx.taskFormerNumber.create({ data: { workspaceId, projectId, number, taskId } })
}
