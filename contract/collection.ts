// What every collection of resources offers, declared once for all of them: list, get, create, change, delete, restore,
// the same three by the caller's own ids, batch and count.
import { bulk } from './collection-bulk.ts'
import { byExternalId } from './collection-by-external-id.ts'
import type { Declaration } from './collection-declaration.ts'
import { reads } from './collection-reads.ts'
import { writes } from './collection-writes.ts'

export { expandable, lifecycle, type CollectionSegment } from './collection-declaration.ts'

export const collection = <D extends Declaration>(declared: D) => ({
  ...reads(declared),
  ...writes(declared),
  ...byExternalId(declared),
  ...bulk(declared),
})
