// Checks that only the database can make of a new or changed object: whether what it names exists, whether its external
// id is free, which custom fields are defined, and what the collection itself asks for (`resolve` of its definition).
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import type { Call } from '../execution/call.ts'
import { valueTaken } from '../faults/shared-faults.ts'
import { clearExternalIds, missingReferences } from './change-rows.ts'
import type { Collection, Fields, Resource, Reference } from './definition.ts'
import { successorOf } from './outdated-references.ts'
import { takeFree } from './free-external-ids.ts'
import { ownIdsNamed } from './read-rows.ts'
import { findAny, deletedProjectOf, withHidden } from './rows.ts'
import { addedIds, withExternalIds } from './rules.ts'

/** Returns the object as it is to be written. `before` is null for a new one; `given` is what the caller sent. */
export async function resolveDraft<R extends Resource>(
  collection: Collection<R>,
  draft: R,
  before: R | null,
  given: Fields,
  call: Call,
): Promise<R> {
  await assertReferences(collection, draft, before, call)
  const named = withExternalIds(draft, before, given)
  await assertExternalIdsFree(collection, named, before, call)
  const next = await withCustomFields(collection, named, before, given, call)
  return collection.resolve === undefined ? next : collection.resolve(next, before, call, given)
}

async function withCustomFields<R extends Resource>(
  { customFields: rules }: Collection<R>,
  draft: R,
  before: R | null,
  given: Fields,
  call: Call,
): Promise<R> {
  if (rules === undefined) return draft
  const values = before === null ? null : valuesOf(before)
  const patch = given['customFields'] as Fields | null | undefined
  const customFields = await rules.resolve(draft, values, patch === null ? clearing(values) : patch, call)
  return { ...draft, customFields }
}

/** The patch that clears every value. */
const clearing = (values: Fields | null): Fields =>
  Object.fromEntries(Object.keys(values ?? {}).map((key) => [key, null]))

/** Every object that custom fields are defined for has them. */
const valuesOf = (object: Fields): Fields => object['customFields'] as Fields

// The tables' foreign keys demand that what a field names exists; this tells the caller which of it does not, and
// refuses deleted objects too.
/** Throws `reference_not_found`. Checks new ids only: an object that was named before may be deleted by now. */
async function assertReferences<R extends Resource>(
  { references }: Collection<R>,
  next: R,
  before: R | null,
  { db, workspaceId }: Call,
): Promise<void> {
  const asked = references.flatMap((reference) => {
    const known = before === null ? [] : idsIn(before, reference)
    const ids = idsIn(next, reference).filter((id) => !known.includes(id))
    return ids.length === 0 ? [] : [{ reference, ids }]
  })
  if (asked.length === 0) return
  const missing = await missingReferences(db, asked, workspaceId)
  if (missing.length > 0) throw refusal(missing, next)
}

function idsIn(object: Fields, { field }: Reference): string[] {
  const value = object[field]
  return value === null || value === undefined ? [] : [value].flat().map(String)
}

function refusal(missing: readonly { field: string; id: string }[], next: Fields): Fault {
  const errors = missing.map(({ field, id }): FieldError => {
    const value = next[field]
    const pointer = Array.isArray(value) ? `/${field}/${value.indexOf(id)}` : `/${field}`
    return { pointer, code: 'not_found', detail: 'Does not exist in this workspace.' }
  })
  const fields = [...new Set(missing.map(({ field }) => `\`${field}\``))].join(', ')
  return new Fault('reference_not_found', `${fields} names an object that this workspace does not have.`, { errors })
}

// External ids are unique in a workspace, those of deleted and hidden objects included: these can be restored.
/** Throws `duplicate` when another object has an external id that is new in `next`. */
async function assertExternalIdsFree<R extends Resource>(
  collection: Collection<R>,
  next: R,
  before: R | null,
  call: Call,
): Promise<void> {
  const added = addedIds(next, before)
  if (added.length === 0) return
  const asked = takeFree(collection, added, call)
  if (asked.length === 0) return
  const named = asked.map((key) => ({ ...key, name: '' }))
  const holders = await ownIdsNamed(call.db, collection.table, call.workspaceId, named)
  for (const id of new Set(holders.map((holder) => holder.id))) {
    const duplicate = await findAny(call.db, withHidden(collection), call.workspaceId, id)
    const project = await deletedProjectOf(duplicate, call)
    if (project === null || project.purgedAt === null)
      throw await externalIdTaken(collection, duplicate, call, project?.id)
    // The objects of a purged project are deleted in the background; their external ids are free at once.
    await clearExternalIds(call.db, collection.table, duplicate)
  }
}

export async function externalIdTaken<R extends Resource>(
  collection: Collection<R>,
  duplicate: R,
  call: Call,
  deletedProjectId: string | null = null,
): Promise<Fault> {
  const { id, deletedAt } = duplicate
  const successorId = deletedAt === null ? null : await successorOf(collection, duplicate, call)
  return valueTaken('externalId', { id, deletedAt, successorId, deletedProjectId })
}
