// The list of collections as an argument: code that does something for each of them imports none of them.
import type { CollectionSegment } from '#contract/scopes.ts'
import type { Collection } from './define.ts'
import type { Resource } from './resource.ts'

/** Called with each collection. */
type Visit<T> = <R extends Resource, S extends CollectionSegment>(collection: Collection<R, S>) => T

/** Returns what `visit` returned for each collection; collections that others refer to come first. */
export type EachCollection = <T>(visit: Visit<T>) => readonly T[]
