// Reads and writes comments.
import type { Comment } from '#contract/comments.ts'
import type { Fault } from '#contract/faults/fault.ts'
import type { Actor } from '#contract/shared-fields.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'
import type { Subject } from './commented-object.ts'
import { notFoundById } from '../faults/not-found.ts'

type Row = Prisma.CommentGetPayload<object>

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

export function toComment(type: Subject['segment'], row: Row): Comment {
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
