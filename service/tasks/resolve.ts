// A task's number, identifier and position, which depend on its project; an archived project refuses changes.
import type { Task } from '#contract/tasks.ts'
import type { Fields } from '../collection/resource.ts'
import { missingReference } from '../faults/database-fault.ts'
import type { Call, Db } from '../execution/handler.ts'
import { keepFormerNumber } from './identifier.ts'
import { projectArchived } from '../faults/project-archived.ts'

/** The gap between the positions of new tasks, so that others can be moved in between. */
const positionStep = 1_024

type Project = { readonly key: string; readonly archivedAt: Date | null }
type NumberedProject = Project & { readonly number: number }

export async function resolve(next: Task, before: Task | null, { db }: Call, given: Fields): Promise<Task> {
  const stays = before !== null && next.projectId === before.projectId
  const old = before === null ? null : await projectOf(db, before)
  if (old !== null) assertNotArchived(old)
  // The project may have got a new key that this task does not have yet (rekey.ts).
  if (stays && old !== null) return { ...next, identifier: identifierOf(old, next.number) }
  const project = await takeNumber(db, next)
  assertNotArchived(project)
  if (before !== null) await keepFormerNumber(db, before)
  const position = before === null && given['position'] === undefined ? project.number * positionStep : next.position
  return { ...next, number: project.number, identifier: identifierOf(project, project.number), position }
}

export const identifierOf = ({ key }: Pick<Project, 'key'>, number: number): string => `${key}-${number}`

/** Takes the next number of the task's project. Throws `reference_not_found` when the project does not exist. */
async function takeNumber(tx: Db, { workspaceId, projectId }: Task): Promise<NumberedProject> {
  const [project] = await tx.$queryRaw<NumberedProject[]>`
    UPDATE project SET last_task_number = last_task_number + 1
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${projectId}::uuid AND deleted_at IS NULL
    RETURNING last_task_number AS number, key, archived_at AS "archivedAt"`
  if (project === undefined) throw missingReference('projectId')
  return project
}

async function projectOf(db: Db, { workspaceId, projectId }: Task): Promise<Project> {
  const where = { workspaceId_id: { workspaceId, id: projectId } }
  return db.project.findUniqueOrThrow({ where, select: { key: true, archivedAt: true } })
}

function assertNotArchived({ archivedAt }: Pick<Project, 'archivedAt'>): void {
  if (archivedAt === null) return
  throw projectArchived('tasks')
}
