// What comments are on: a task, a project or a CRM entity.
import {
  crmEntityCommentCreated,
  crmEntityCommentDeleted,
  crmEntityCommentUpdated,
  projectCommentCreated,
  projectCommentDeleted,
  projectCommentUpdated,
  taskCommentCreated,
  taskCommentDeleted,
  taskCommentUpdated,
  type CommentedSegment,
} from '#contract/comments.ts'
import type { Event } from '#contract/event.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { About, Call } from '../execution/handler.ts'
import { notFoundById } from '../faults/not-found.ts'
import { projectArchived } from '../faults/project-archived.ts'

export type Subject<S extends CommentedSegment = CommentedSegment> = {
  readonly segment: S
  readonly noun: string
  /** The column of a comment that names the subject. */
  readonly column: 'taskId' | 'projectId' | 'crmEntityId'
  readonly select: string
  readonly events: Readonly<Record<'created' | 'updated' | 'deleted', Event>>
}
type Found = About & { readonly archived: boolean }

export const ofTasks: Subject<'tasks'> = {
  segment: 'tasks',
  noun: 'task',
  column: 'taskId',
  select: `SELECT t.id, t.project_id AS "projectId", NULL AS kind, p.archived_at IS NOT NULL AS archived
    FROM task t JOIN project p ON p.workspace_id = t.workspace_id AND p.id = t.project_id AND p.deleted_at IS NULL`,
  events: { created: taskCommentCreated, updated: taskCommentUpdated, deleted: taskCommentDeleted },
}
export const ofProjects: Subject<'projects'> = {
  segment: 'projects',
  noun: 'project',
  column: 'projectId',
  select: `SELECT t.id, t.id AS "projectId", NULL AS kind, t.archived_at IS NOT NULL AS archived FROM project t`,
  events: { created: projectCommentCreated, updated: projectCommentUpdated, deleted: projectCommentDeleted },
}
export const ofCrmEntities: Subject<'crm-entities'> = {
  segment: 'crm-entities',
  noun: 'CRM entity',
  column: 'crmEntityId',
  select: `SELECT t.id, NULL AS "projectId", t.kind, false AS archived FROM crm_entity t`,
  events: { created: crmEntityCommentCreated, updated: crmEntityCommentUpdated, deleted: crmEntityCommentDeleted },
}

/** Throws `not_found` for a subject that does not exist, is deleted, or is hidden with its project. */
export async function findSubject({ select, noun }: Subject, id: string, { db, workspaceId }: Call): Promise<Found> {
  const [found] = await db.$queryRaw<Found[]>`${Prisma.raw(select)}
    WHERE t.workspace_id = ${workspaceId}::uuid AND t.id = ${id}::uuid AND t.deleted_at IS NULL`
  if (found === undefined) throw notFoundById(noun)
  return found
}

export function assertNotArchived({ archived }: Found): void {
  if (!archived) return
  throw projectArchived('comments')
}
