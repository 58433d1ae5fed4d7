// What every collection of resources offers, declared once for all of them: list, get, create, change, delete, restore,
// the same three by the caller's own ids, batch and count.
import { bulk } from './bulk.ts'
import { byExternalId } from './by-external-id.ts'
import type { Declaration } from './declaration.ts'
import { reads } from './reads.ts'
import { writes } from './writes.ts'

export { expandable, lifecycle, type CollectionSegment } from './declaration.ts'

export const collection = <D extends Declaration>(declared: D) => ({
  ...reads(declared),
  ...writes(declared),
  ...byExternalId(declared),
  ...bulk(declared),
})
