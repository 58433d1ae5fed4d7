// Comments, and the subjects that they are on: a task, a project or a CRM entity.
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
  type Comment,
  type CommentedSegment,
} from '#contract/comments.ts'
import type { Event } from '#contract/event.ts'
import type { Fault } from '#contract/faults/fault.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, query } from '#prisma/statements.ts'
import type { Db, About, Call } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'

export type Subject<S extends CommentedSegment = CommentedSegment> = {
  readonly segment: S
  readonly noun: string
  /** The column of a comment that names the subject. */
  readonly column: 'taskId' | 'projectId' | 'crmEntityId'
  readonly select: string
  readonly events: Readonly<Record<'created' | 'updated' | 'deleted', Event>>
}
export type FoundSubject = About & { readonly archived: boolean }

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
  select: `SELECT t.id, NULL::uuid AS "projectId", t.kind, false AS archived FROM crm_entity t`,
  events: { created: crmEntityCommentCreated, updated: crmEntityCommentUpdated, deleted: crmEntityCommentDeleted },
}

const selectSubject = query(
  { id: column.uuid, projectId: column.uuid.orNull, kind: column.text.orNull, archived: column.bool },
  (select: string, workspaceId: string, id: string) => Prisma.sql`${Prisma.raw(select)}
    WHERE t.workspace_id = ${workspaceId}::uuid AND t.id = ${id}::uuid AND t.deleted_at IS NULL`,
  [ofTasks, ofProjects, ofCrmEntities].map(({ select }) => [select, '', '']),
)

/** Throws `not_found` for a subject that does not exist, is deleted, or is hidden with its project. */
export async function findSubject(
  { select, noun }: Subject,
  id: string,
  { db, workspaceId }: Call,
): Promise<FoundSubject> {
  const [found] = await selectSubject(db, select, workspaceId, id)
  if (found === undefined) throw notFoundById(noun)
  return found
}

type CommentRow = Prisma.CommentGetPayload<object>

/** The comment on this subject, deleted or not. Throws `not_found`. */
export async function findAny(
  db: Db,
  { segment, column }: Subject,
  workspaceId: string,
  { id, commentId }: { readonly id: string; readonly commentId: string },
): Promise<Comment> {
  const row = await db.comment.findFirst({ where: { workspaceId, id: commentId, [column]: id } })
  if (row === null) throw notFound()
  return toComment(segment, row)
}

export const notFound = (): Fault => notFoundById('comment here')

export async function insertRow(tx: Db, { column }: Subject, comment: Comment): Promise<void> {
  const { object: _object, subject, ...row } = comment
  await tx.comment.create({ data: { ...row, [column]: subject.id } })
}

export async function updateRow(tx: Db, { workspaceId, id, ...next }: Comment): Promise<void> {
  const { body, version, updatedAt, updatedBy, deletedAt } = next
  await tx.comment.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { body, version, updatedAt, updatedBy, deletedAt },
  })
}

export function toComment(type: Subject['segment'], row: CommentRow): Comment {
  const { taskId, projectId, crmEntityId, ...rest } = row
  return {
    ...rest,
    object: 'comment',
    // The table's check lets exactly one of the three be set.
    subject: { type, id: taskId ?? projectId ?? crmEntityId ?? '' },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    createdBy: row.createdBy as Actor,
    updatedBy: row.updatedBy as Actor,
    deletedAt: row.deletedAt?.toISOString() ?? null,
  }
}
