// A task within its project: its number and identifier, and whether the project still takes changes.
import type { Task } from '#contract/task-schema.ts'
import type { Fields } from '../collection/resource.ts'
import { missingReference } from '../faults/database-fault.ts'
import type { Call, Db } from '../execution/handler.ts'
import { keepFormerNumber } from './identifier.ts'
import { projectArchived } from '../faults/project-archived.ts'

/** Between two tasks that follow each other there is room for others. */
const positionStep = 1_024

type Project = { readonly key: string; readonly archivedAt: Date | null }
type Place = Project & { readonly number: number }

export async function resolve(next: Task, before: Task | null, { db }: Call, given: Fields): Promise<Task> {
  const stays = before !== null && next.projectId === before.projectId
  const project = before === null ? null : await projectOf(db, before)
  if (project !== null) assertOpen(project)
  // One that was deleted while the project's key changed, or whose turn has not come yet, gets the new one here.
  if (stays && project !== null) return { ...next, identifier: identifierOf(project, next.number) }
  const place = await newPlace(db, next)
  assertOpen(place)
  if (before !== null) await keepFormerNumber(db, before)
  const position = before === null && given['position'] === undefined ? place.number * positionStep : next.position
  return { ...next, number: place.number, identifier: identifierOf(place, place.number), position }
}

export const identifierOf = ({ key }: Pick<Project, 'key'>, number: number): string => `${key}-${number}`

/** The next number of the task's project. */
async function newPlace(tx: Db, { workspaceId, projectId }: Task): Promise<Place> {
  const [place] = await tx.$queryRaw<Place[]>`
    UPDATE project SET last_task_number = last_task_number + 1
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${projectId}::uuid AND deleted_at IS NULL
    RETURNING last_task_number AS number, key, archived_at AS "archivedAt"`
  if (place === undefined) throw missingReference('projectId')
  return place
}

async function projectOf(db: Db, { workspaceId, projectId }: Task): Promise<Project> {
  const where = { workspaceId_id: { workspaceId, id: projectId } }
  return db.project.findUniqueOrThrow({ where, select: { key: true, archivedAt: true } })
}

function assertOpen({ archivedAt }: Pick<Place, 'archivedAt'>): void {
  if (archivedAt === null) return
  throw projectArchived('tasks')
}
