// Two entities become one. The source's row goes first: what may stand only once in the workspace moves from it to the
// survivor. Then whatever names the source follows.
import { crmEntityDeleted, crmEntityMerged, type mergeCrmEntity } from '#contract/crm-entities.ts'
import type { CrmEntity } from '#contract/crm-kinds.ts'
import { Fault } from '#contract/fault.ts'
import { covers } from '#contract/scope.ts'
import type { EachCollection } from '../collection/each-collection.ts'
import { findAny, find } from '../collection/find.ts'
import { updateRow } from '../collection/write-rows.ts'
import { moments } from '../collection/reference-columns.ts'
import { missingReference } from '../faults/database-fault.ts'
import type { Call, Handler } from '../execution/handler.ts'
import { companiesAbove } from './ancestors.ts'
import { absorb, absorbed } from './absorb.ts'
import { crmEntities } from './collection.ts'
import type { Move } from '../collection/reference-columns.ts'
import { assertFewRefer, followSurvivor } from './referrers.ts'
import { refuseField } from '../faults/field-refusals.ts'
import { bumpVersion } from '../object-versions/bookkeeping-fields.ts'

export const merge =
  (eachCollection: EachCollection): Handler<typeof mergeCrmEntity> =>
  async ({ id, sourceId }, call) => {
    assertMayDelete(call)
    const survivor = await find(call.db, crmEntities, call.workspaceId, id)
    const source = await sourceOf(sourceId, call)
    if (source.mergedIntoId === survivor.id) return survivor
    assertMergeable(survivor, source)
    await assertFewRefer(eachCollection, moveOf(survivor, source), call)
    // Objects of other collections are changed as well, and tell of it in their own events.
    const { call: whole, keep } = call.subcall(call.now)
    const after = await merged(eachCollection, survivor, source, whole)
    keep()
    return after
  }

async function merged(
  eachCollection: EachCollection,
  survivor: CrmEntity,
  source: CrmEntity,
  call: Call,
): Promise<CrmEntity> {
  const above = { survivor: await companiesAbove(survivor, call), source: await companiesAbove(source, call) }
  const after = bumpVersion(absorb(survivor, source, above), call)
  const next = moments(call)
  const { call: second, keep } = call.subcall(next())
  const left = bumpVersion(absorbed(source, survivor, second.now), second)
  await updateRow(call.db, crmEntities, left, source)
  await updateRow(call.db, crmEntities, after, survivor)
  call.emit(crmEntityMerged, { ...after, mergedFromId: source.id }, survivor)
  second.emit(crmEntityDeleted, left)
  await followSurvivor(eachCollection, moveOf(survivor, source), second, next)
  keep()
  return after
}

const moveOf = ({ workspaceId, kind, id }: CrmEntity, source: CrmEntity): Move => ({
  workspaceId,
  kind,
  from: source.id,
  to: id,
})

function assertMayDelete({ principal }: Pick<Call, 'principal'>): void {
  const needed = 'crm-entities:delete'
  if (covers(principal.scopes, needed)) return
  throw new Fault('insufficient_scope', `To merge a key needs ${needed} as well.`, { requiredScopes: [needed] })
}

async function sourceOf(id: string, { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>): Promise<CrmEntity> {
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
