// Two entities become one. The source's row is written first: values that only one entity of the workspace may have
// move from it to the survivor. Then the objects that name the source come to name the survivor; where they are many, most
// of them in the background (outdated-references). Until then they name the source, whose id leads to the survivor.
import { crmEntityDeleted, crmEntityMerged, type mergeCrmEntity, type CrmEntity } from '#contract/crm-entities.ts'
import { Fault } from '#contract/faults/fault.ts'
import { covers } from '#contract/scopes.ts'
import type { EachCollection } from '../collection/each-collection.ts'
import { findAny, find } from '../collection/find.ts'
import { successorsOf } from '../collection/outdated-references.ts'
import { updateRow } from '../collection/write-rows.ts'
import { timesAfter } from '../collection/change-each.ts'
import { missingReference } from '../faults/database-fault.ts'
import type { Call, Handler } from '../execution/handler.ts'
import { ancestorsOf } from './ancestors.ts'
import { mergedSource, mergedSurvivor } from './merge-rules.ts'
import { crmEntities } from './collection.ts'
import { moveReferences } from './move-references.ts'
import { refuseField } from '../faults/field-refusals.ts'
import { bumpVersion } from '../object-versions/bookkeeping-fields.ts'

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
