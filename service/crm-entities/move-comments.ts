// The comments on a merged entity become comments on its survivor.
import { crmEntityCommentUpdated } from '#contract/comments.ts'
import { changeEach, writeVersions, type NextTime } from '../collection/change-each.ts'
import type { ReferenceColumn } from '../collection/reference-columns.ts'
import { toComment } from '../comments/rows.ts'
import type { Call } from '../execution/handler.ts'
import { replaceInRows, type Merge } from './replace-id.ts'

export const commentColumn: ReferenceColumn = { field: 'crmEntityId', table: 'comment' }

export async function moveComments(merge: Merge, call: Call, nextTime: NextTime): Promise<void> {
  const { workspaceId, sourceId, survivorId, kind } = merge
  const rows = await call.db.comment.findMany({
    where: { workspaceId, crmEntityId: sourceId, deletedAt: null },
    orderBy: { id: 'asc' },
  })
  const comments = rows.map((row) => toComment('crm-entities', row))
  const about = { id: survivorId, kind, projectId: null }
  const changed = changeEach(comments, {
    call,
    nextTime,
    change: (before) => ({ ...before, subject: { ...before.subject, id: survivorId } }),
    emit: (subcall, after, before) => void subcall.emit(crmEntityCommentUpdated, after, before, about),
  })
  await replaceInRows(call.db, commentColumn, merge)
  await writeVersions(call.db, commentColumn.table, changed)
}
