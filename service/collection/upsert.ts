import { assertNoneExpected, existing } from '../execution/preconditions.ts'
import { createObject } from './create.ts'
import type { Collection } from './define.ts'
import { externalIdTaken } from './external-id.ts'
import { findByExternalId, type ExternalKey } from './find.ts'
import type { CollectionHandler } from './definition.ts'
import type { Fields, Resource } from './resource.ts'
import { updateObject } from './update.ts'

type Input = Fields & ExternalKey & { readonly createOnly?: boolean; readonly expectedVersion?: number }

/** Updates the object with this external id, or creates it. Throws `duplicate` when a deleted object has the id. */
export function upsertHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (input, call) => {
    const { source, externalId, createOnly = false, ...fields } = input as Input
    const before = await findByExternalId(call.db, collection, call.workspaceId, { source, externalId })
    if (before === null) {
      const { expectedVersion, ...given } = fields
      assertNoneExpected(expectedVersion, call)
      call.created()
      return await createObject(collection, { ...given, externalSource: source, externalId }, call)
    }
    if (before.deletedAt !== null) throw await externalIdTaken(collection, before, call)
    if (createOnly) throw existing(before)
    return await updateObject(collection, before, fields, call)
  }
}
