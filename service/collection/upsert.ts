// Creates or changes an object by the caller's own id. Where no object has that id, it may be found by what it has,
// such as its domains; it is given the own id then. A deleted object is restored if the call asks for that.
import type { UpsertOutcome } from '#contract/collection/declaration.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { ExternalIds } from '#contract/shared-fields.ts'
import type { Call } from '../execution/call.ts'
import { assertNoneExpected, existing } from '../execution/preconditions.ts'
import type { Collection, CollectionHandler, EachCollection, Fields, Resource } from './definition.ts'
import { restoreObject } from './delete.ts'
import { isFree } from './free-external-ids.ts'
import { externalIdTaken } from './resolve.ts'
import { isSameId } from './rules.ts'
import { findAny, findByExternalId, type ExternalKey } from './rows.ts'
import { createObject, updateObject } from './write.ts'

type Options = {
  readonly createOnly?: boolean
  readonly match?: string
  readonly onMatch?: 'update' | 'fillEmpty' | 'skip'
  readonly restore?: boolean
}
type UpsertInput = Fields &
  ExternalKey &
  Options & {
    readonly expectedVersion?: number
    /** Beside the one that it is found by. */
    readonly externalIds?: ExternalIds
  }

export type UpsertResult = { readonly outcome: UpsertOutcome; readonly matchedBy: string | null }

/** Throws `duplicate` when a deleted object has the id and is not to be restored. */
export function upsertHandler<R extends Resource>(
  collection: Collection<R>,
  eachCollection: EachCollection,
): CollectionHandler {
  return async (input, call) => {
    const {
      source,
      externalId,
      createOnly = false,
      match,
      onMatch = 'update',
      restore = false,
      externalIds: further = [],
      ...given
    } = input as UpsertInput
    const key = { source, externalId }
    const ownId = { source, id: externalId }
    const found = await foundBy(collection, key, { match, restore }, given, call)
    if (found === null) {
      const { expectedVersion, ...fields } = given
      assertNoneExpected(expectedVersion, call)
      call.created()
      const externalIds = withIds([ownId], further)
      const created = await createObject(collection, { ...fields, externalIds }, call)
      return { ...created, outcome: 'created', matchedBy: null }
    }
    const { object, matchedBy } = found
    const isDeleted = object.deletedAt !== null
    if (isDeleted && !restore) throw await externalIdTaken(collection, object, call)
    if (createOnly) throw existing(object)
    const before = isDeleted ? await restoreObject(collection, eachCollection, object, call) : object
    const after =
      onMatch === 'skip'
        ? before
        : await updateObject(collection, before, patchOf(found, [ownId, ...further], onMatch, given), call)
    return { ...after, outcome: outcomeOf(object, after, { isDeleted, onMatch }), matchedBy }
  }
}

type Found<R extends Resource> = { readonly object: R; readonly matchedBy: string }

async function foundBy<R extends Resource>(
  collection: Collection<R>,
  key: ExternalKey,
  { match, restore }: { readonly match: string | undefined; readonly restore: boolean },
  given: Fields,
  call: Call,
): Promise<Found<R> | null> {
  const { db, workspaceId } = call
  const own = isFree(collection, key, call) ? null : await findByExternalId(db, collection, workspaceId, key)
  if (own !== null) return { object: own, matchedBy: 'externalId' }
  if (match === undefined || collection.matching === undefined) return null
  const objects: R[] = []
  for (const id of await collection.matching(match, given, call))
    objects.push(await findAny(db, collection, workspaceId, id))
  const shown = objects.filter(({ deletedAt }) => deletedAt === null)
  const candidates = shown.length > 0 || !restore ? shown : objects
  const [object, ...others] = candidates
  if (object === undefined) return null
  if (others.length === 0) return { object, matchedBy: match }
  throw new Fault('ambiguous_match', `More than one object matches the values of \`${match}\`.`, {
    field: match,
    candidates: candidates.map(({ id }) => id),
  })
}

/** What is changed of an object that is there. It gets the ids that it lacks behind those that it has. */
function patchOf<R extends Resource>(
  { object }: Found<R>,
  ids: ExternalIds,
  onMatch: 'update' | 'fillEmpty',
  given: Fields,
): Fields {
  const fields = onMatch === 'update' ? given : lackingIn(object, given)
  const externalIds = withIds(object.externalIds, ids)
  return externalIds.length === object.externalIds.length ? fields : { ...fields, externalIds }
}

const withIds = (known: ExternalIds, given: ExternalIds): ExternalIds => [
  ...known,
  ...given.filter((id) => !known.some((each) => isSameId(each, id))),
]

/** The fields that are empty in the object, and the custom fields. What is compared stays. */
function lackingIn(object: Fields, given: Fields): Fields {
  const kept = Object.entries(given).flatMap(([field, value]): [string, unknown][] => {
    const own = object[field]
    if (field === 'customFields' && value !== null) return [[field, lackingIn(own as Fields, value as Fields)]]
    return isEmpty(own) || ['kind', 'expectedVersion'].includes(field) ? [[field, value]] : []
  })
  return Object.fromEntries(kept)
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

type Done = { readonly isDeleted: boolean; readonly onMatch: 'update' | 'fillEmpty' | 'skip' }

function outcomeOf(before: Resource, after: Resource, { isDeleted, onMatch }: Done): UpsertOutcome {
  if (isDeleted) return 'restored'
  if (onMatch === 'skip') return 'skipped'
  return after.version === before.version ? 'unchanged' : 'updated'
}
