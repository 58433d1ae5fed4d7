// How the list of collections reaches what is made for each of them: as an argument, so that no room needs to know it.
import type { CollectionSegment } from '#contract/collection/collection.ts'
import type { Collection, Resource } from './definition.ts'

/** Asked of any collection, whatever its objects are. */
type Visit<T> = <R extends Resource, S extends CollectionSegment>(collection: Collection<R, S>) => T

/** What `visit` gives for each collection, those that others refer to first. */
export type EachCollection = <T>(visit: Visit<T>) => readonly T[]
