// What can be searched: every collection, by its title and its text. SQL over what the collection selects from.
import type { CollectionSegment } from '#contract/scopes.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Collection } from '../collection/define.ts'
import type { EachCollection } from '../collection/each-collection.ts'
import type { Searched } from '../lists/search-terms.ts'

export type SearchedKind = {
  readonly collection: Searched & { readonly from: Prisma.Sql }
  readonly identifier: string
  readonly kind: string
  readonly status: string
  readonly archived: string
}
export type SearchedKinds = ReadonlyMap<CollectionSegment, SearchedKind>

const none = 'NULL::text'

export const searchedKindsIn = (eachCollection: EachCollection): SearchedKinds =>
  new Map(eachCollection<readonly [CollectionSegment, SearchedKind]>(searchedKind))

const searchedKind = (
  collection: SearchedKind['collection'] & Pick<Collection, 'segment' | 'inSearch'>,
): readonly [CollectionSegment, SearchedKind] => [
  collection.segment,
  { ...{ identifier: none, kind: none, status: none, archived: 'FALSE' }, ...collection.inSearch, collection },
]
