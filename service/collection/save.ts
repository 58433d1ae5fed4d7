// What every write of a collection has in common, whoever asks for it: checks against the database, the row, the event.
import { v7 as uuid } from 'uuid'
import { bumpVersion, type Origin } from '../object-versions/bookkeeping-fields.ts'
import { isUnchanged } from '../object-versions/changed-fields.ts'
import { resolveCustomFields } from '../custom-fields/resolve.ts'
import type { Values } from '../custom-fields/values.ts'
import type { Call } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import type { Collection, Fields, Resource } from './definition.ts'
import { assertReferences } from './references.ts'
import { insert, update } from './rows.ts'
import { assertNoDuplicate } from './duplicate.ts'

export async function make<R extends Resource>(collection: Collection<R>, given: Fields, call: Call): Promise<R> {
  const draft = collection.draft(given, originOf(call, uuid({ msecs: call.now.getTime() })))
  const next = await insert(call.db, collection, await resolved(collection, draft, null, given, call))
  call.emit(collection.events.created, collection.brief(next))
  return next
}

export async function change<R extends Resource>(
  collection: Collection<R>,
  before: R,
  { expectedVersion, ...patch }: Fields & { readonly expectedVersion?: number },
  call: Call,
): Promise<R> {
  assertVersion(before, expectedVersion, call)
  const revised = collection.applyPatch(before, patch, originOf(call, before.id))
  const next = await resolved(collection, revised, before, patch, call)
  if (isUnchanged(before, next)) return before
  const after = bumpVersion(next, call)
  await update(call.db, collection, after, before)
  call.emit(collection.events.updated, collection.brief(after), collection.brief(before))
  await collection.afterUpdate?.(after, before, call)
  return after
}

const originOf = ({ workspaceId, actor, now }: Call, id: string): Origin => ({ id, workspaceId, actor, now })

/** Each change is a moment after the one before, so that times stay in the order of changes. */
export function moments({ now }: Pick<Call, 'now'>): () => Date {
  let count = 0
  return () => new Date(now.getTime() + (count += 1))
}

async function resolved<R extends Resource>(
  collection: Collection<R>,
  draft: R,
  before: R | null,
  given: Fields,
  call: Call,
): Promise<R> {
  await assertReferences(collection, draft, before, call)
  await assertNoDuplicate(collection, draft, before, call)
  const fielded = await withCustomFields(collection, draft, before, given, call)
  return collection.resolve === undefined ? fielded : collection.resolve(fielded, before, call, given)
}

async function withCustomFields<R extends Resource>(
  { customFieldTargets }: Collection<R>,
  draft: R,
  before: R | null,
  given: Fields,
  call: Call,
): Promise<R> {
  const [target] = customFieldTargets?.(draft) ?? []
  if (target === undefined) return draft
  const values = before === null ? null : valuesOf(before)
  const patch = given['customFields'] as Values | null | undefined
  const customFields = await resolveCustomFields(
    { target, before: values, patch: patch === null ? withoutAny(values) : patch },
    call,
  )
  return { ...draft, customFields }
}

/** The patch that clears every value that there is. */
const withoutAny = (values: Values | null): Values =>
  Object.fromEntries(Object.keys(values ?? {}).map((key) => [key, null]))

const valuesOf = (object: Resource): Values => (object as unknown as { readonly customFields: Values }).customFields
