// External ids that no object has. A batch looks up those of all its items by one statement, before the first item:
// most rows of an import are new, and neither the upsert nor the check before the insert has to ask again.
import type { Call } from '../execution/call.ts'
import type { Collection, Resource } from './definition.ts'
import { ownIdsNamed } from './read-rows.ts'
import type { ExternalKey } from './rows.ts'

type Table = Pick<Collection, 'table'>

const keyOf = ({ table }: Table, { source, externalId }: ExternalKey): string =>
  JSON.stringify([table, source, externalId])

/** Only within a change: the workspace lock keeps others from taking one meanwhile. */
export async function findFree(collection: Table, keys: readonly ExternalKey[], call: Call): Promise<void> {
  if (keys.length === 0) return
  const named = keys.map((key) => ({ ...key, name: keyOf(collection, key) }))
  const taken = new Set((await ownIdsNamed(call.db, collection.table, call.workspaceId, named)).map(({ name }) => name))
  for (const { name } of named) if (!taken.has(name)) call.freeExternalIds.add(name)
}

export const isFree = (collection: Table, key: ExternalKey, { freeExternalIds }: Call): boolean =>
  freeExternalIds.has(keyOf(collection, key))

/** Takes the ids of the object, and returns those that were not known to be free. */
export function takeFree(collection: Table, ids: Resource['externalIds'], { freeExternalIds }: Call): ExternalKey[] {
  return ids
    .map(({ source, id }) => ({ source, externalId: id }))
    .filter((key) => !freeExternalIds.delete(keyOf(collection, key)))
}
