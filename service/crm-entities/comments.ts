// The comments on an entity that was merged are comments on the survivor from then on.
import { crmEntityCommentUpdated } from '#contract/comments.ts'
import { toComment } from '../comments/rows.ts'
import type { Call } from '../execution/handler.ts'
import { commentPlace, mark, rename, type Moment, type Move } from '../collection/reference-columns.ts'
import { bumpVersion } from '../object-versions/bookkeeping-fields.ts'

export async function followComments(move: Move, call: Call, next: Moment): Promise<void> {
  const { workspaceId, from, to, kind } = move
  const rows = await call.db.comment.findMany({
    where: { workspaceId, crmEntityId: from, deletedAt: null },
    orderBy: { id: 'asc' },
  })
  const changed = rows.map((row) => {
    const { call: part, keep } = call.subcall(next())
    const before = toComment('crm-entities', row)
    const after = bumpVersion({ ...before, subject: { ...before.subject, id: to } }, part)
    part.emit(crmEntityCommentUpdated, after, before, { id: to, kind, projectId: null })
    keep()
    return after
  })
  await rename(call.db, commentPlace, move)
  await mark(call.db, commentPlace.table, changed)
}
