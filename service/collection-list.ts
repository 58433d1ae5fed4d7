// The list of collections: the one line that binds a new one. Handlers, the purge of deleted objects and what is said
// of a refused constraint are read off it.
import type { CollectionSegment } from '#contract/scopes.ts'
import type { EachCollection } from './collection/each-collection.ts'
import { crmEntities } from './crm-entities/collection.ts'
import { documents } from './documents/collection.ts'
import { projects } from './projects/collection.ts'
import { tasks } from './tasks/collection.ts'

/** Those that others refer to come first. A missing one does not compile. */
export const eachCollection: EachCollection = (visit) =>
  Object.values({
    'crm-entities': visit(crmEntities),
    projects: visit(projects),
    tasks: visit(tasks),
    documents: visit(documents),
  } satisfies Record<CollectionSegment, unknown>)
