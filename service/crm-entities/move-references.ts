// Whatever names a merged entity comes to name its survivor: comments first, since they are shown below their entity only,
// then the objects of all collections. What one transaction leaves is done in the background, batch by batch.
import { crmEntityCommentUpdated } from '#contract/comments.ts'
import { changeEach, writeVersions, type NextTime } from '../collection/change-each.ts'
import type { EachCollection } from '../collection/definition.ts'
import { findAny } from '../collection/rows.ts'
import { replaceInRows, replaceReferences, settle, successorsOf } from '../collection/outdated-references.ts'
import { toComment } from '../comments/rows.ts'
import type { Call } from '../execution/call.ts'
import { crmEntities } from './collection.ts'

type Batch = { readonly call: Call; readonly nextTime: NextTime; readonly max: number }

/** Changes at most `max` objects. */
export async function moveReferences(eachCollection: EachCollection, id: string, batch: Batch): Promise<void> {
  const { call, max } = batch
  const { db, workspaceId } = call
  const survivorId = (await successorsOf(db, workspaceId, 'crm_entity', [id])).get(id)
  if (typeof survivorId !== 'string') return
  let left = max - (await moveComments(id, survivorId, batch))
  const outdated = { workspaceId, id, table: 'crm_entity', successorId: survivorId } as const
  if (left > 0) left -= await replaceReferences(eachCollection, outdated, { ...batch, max: left })
  // There may be more: the next batch begins with them.
  if (left > 0) await settle(db, outdated, call.now)
}

const commentColumn = { field: 'crmEntityId', table: 'comment' }

/** Deleted comments stay where they are: they cannot be restored. */
async function moveComments(id: string, survivorId: string, { call, nextTime, max }: Batch): Promise<number> {
  const { db, workspaceId } = call
  const where = { workspaceId, crmEntityId: id, deletedAt: null }
  const rows = await db.comment.findMany({ where, orderBy: { id: 'asc' }, take: max })
  if (rows.length === 0) return 0
  const { kind } = await findAny(db, crmEntities, workspaceId, survivorId)
  const about = { id: survivorId, kind, projectId: null }
  const changed = changeEach(
    rows.map((row) => toComment('crm-entities', row)),
    {
      call,
      nextTime,
      change: (before) => ({ ...before, subject: { ...before.subject, id: survivorId } }),
      emit: (subcall, after, before) => void subcall.emit(crmEntityCommentUpdated, after, before, about),
    },
  )
  const outdated = { workspaceId, id, successorId: survivorId }
  await replaceInRows(
    db,
    commentColumn,
    outdated,
    rows.map((row) => row.id),
  )
  await writeVersions(db, commentColumn.table, changed)
  return rows.length
}
