// Merging two CRM entities. The source's row is written first: values that only one entity of the workspace may have
// move from it to the survivor. Then the objects that name the source come to name the survivor; when they are many,
// most of them in the background (outdated-references). Until then the source's id leads to the survivor.
import { crmEntityCommentUpdated } from '#contract/comments.ts'
import { crmEntityDeleted, crmEntityMerged, type mergeCrmEntity, type CrmEntity } from '#contract/crm-entities.ts'
import { Fault } from '#contract/faults/fault.ts'
import { covers } from '#contract/scopes.ts'
import { timesAfter, changeEach, writeVersions, type NextTime } from '../collection/change-each.ts'
import type { EachCollection } from '../collection/definition.ts'
import { findAny, find, updateRow } from '../collection/rows.ts'
import type { Handlers, Call, Handler } from '../execution/call.ts'
import { missingReference, refuseField } from '../faults/shared-faults.ts'
import { bumpVersion } from '../execution/system-fields.ts'
import { successorsOf, replaceReferences } from '../collection/outdated-references.ts'
import { replaceInRows, settle } from '../collection/outdated-rows.ts'
import { toComment, withFiles } from '../comments/rows.ts'
import { crmEntities } from './collection.ts'
import { mergedSource, mergedSurvivor } from './merge-rules.ts'
import { ancestorsOf } from './rows.ts'

type CrmEntityDeps = { readonly eachCollection: EachCollection }

export const crmEntityHandlers = ({ eachCollection }: CrmEntityDeps) =>
  ({ 'crm-entities.merge': merge(eachCollection) }) satisfies Partial<Handlers>

/** Objects that change with the merge itself. */
const movedAtOnceMax = 1_000

export const merge =
  (eachCollection: EachCollection, max = movedAtOnceMax): Handler<typeof mergeCrmEntity> =>
  async ({ id, sourceId }, call) => {
    assertMayDelete(call)
    const survivor = await find(call.db, crmEntities, call.workspaceId, id)
    const source = await findSource(sourceId, call)
    const successors = await successorsOf(call.db, call.workspaceId, 'crm_entity', [sourceId])
    if (successors.get(sourceId) === survivor.id) return survivor
    assertMergeable(survivor, source)
    // A subcall may emit the events of other collections, whose objects are changed as well.
    const { call: whole, keep } = call.subcall(call.now)
    const after = await mergeInto(eachCollection, { survivor, source, max }, whole)
    keep()
    return after
  }

async function mergeInto(
  eachCollection: EachCollection,
  { survivor, source, max }: { readonly survivor: CrmEntity; readonly source: CrmEntity; readonly max: number },
  call: Call,
): Promise<CrmEntity> {
  const ancestors = { survivor: await ancestorsOf(survivor, call), source: await ancestorsOf(source, call) }
  const after = bumpVersion(mergedSurvivor(survivor, source, ancestors), call)
  const nextTime = timesAfter(call)
  const { call: second, keep } = call.subcall(nextTime())
  const deleted = bumpVersion(mergedSource(source, survivor, second.now), second)
  await updateRow(call.db, crmEntities, deleted, source)
  await updateRow(call.db, crmEntities, after, survivor)
  call.emit(crmEntityMerged, { ...after, mergedFromId: source.id }, survivor)
  second.emit(crmEntityDeleted, deleted)
  await moveReferences(eachCollection, source.id, { call: second, nextTime, max })
  keep()
  return after
}

function assertMayDelete({ principal }: Pick<Call, 'principal'>): void {
  const needed = 'crm-entities:delete'
  if (covers(principal.scopes, needed)) return
  throw new Fault('insufficient_scope', `To merge a key needs ${needed} as well.`, { requiredScopes: [needed] })
}

async function findSource(id: string, { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>): Promise<CrmEntity> {
  return findAny(db, crmEntities, workspaceId, id).catch((thrown: unknown) => {
    throw thrown instanceof Fault ? missingReference('sourceId', thrown) : thrown
  })
}

function assertMergeable(survivor: CrmEntity, source: CrmEntity): void {
  if (source.deletedAt !== null) throw missingReference('sourceId')
  if (source.id === survivor.id) refuseField('sourceId', 'not_in_list', 'Nothing can be merged into itself.')
  if (source.kind !== survivor.kind) {
    refuseField(
      'sourceId',
      'not_in_list',
      `Is a ${source.kind}: only a ${survivor.kind} can be merged into a ${survivor.kind}.`,
    )
  }
}

type Batch = { readonly call: Call; readonly nextTime: NextTime; readonly max: number }

/**
 * Changes at most `max` objects that name the merged entity: comments first, since they are shown with their entity
 * only, then objects of all collections. The background does the rest, batch by batch.
 */
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
  const rows = await db.comment.findMany({ where, orderBy: { id: 'asc' }, take: max, include: withFiles })
  if (rows.length === 0) return 0
  const { kind, name } = await findAny(db, crmEntities, workspaceId, survivorId)
  const related = { crmEntity: { id: survivorId, kind, name } }
  const about = { id: survivorId, kind, projectId: null, related }
  const changed = changeEach(
    rows.map((row) => toComment('crm-entities', row)),
    {
      call,
      nextTime,
      change: (before) => ({ ...before, subject: { ...before.subject, id: survivorId } }),
      emit: (subcall, after, before) => {
        subcall.emit(crmEntityCommentUpdated, after, before, about)
      },
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
