// Search: over the collections that a caller asks for and may read, in one statement.
import { Fault } from '#contract/faults/fault.ts'
import { collectionSegments, covers, type CollectionSegment, type Scope } from '#contract/scopes.ts'
import { searchHitsDefault, type SearchHit, type search } from '#contract/search.ts'
import type { EachCollection } from '../collection/definition.ts'
import { cutAt } from '../collection/pagination.ts'
import type { Handlers, Handler } from '../execution/call.ts'
import { extrasOf, findHits, searchedKindsIn, type HitRow } from './rows.ts'
import { marked, snippetOf } from './snippet.ts'

type SearchDeps = { readonly eachCollection: EachCollection }

export const searchHandlers = ({ eachCollection }: SearchDeps) =>
  ({ 'search.query': query(eachCollection) }) satisfies Partial<Handlers>

function query(eachCollection: EachCollection): Handler<typeof search> {
  const kinds = searchedKindsIn(eachCollection)
  return async (input, { db, workspaceId, principal }) => {
    const { limit = searchHitsDefault } = input
    const segments = readable(input.types, principal.scopes)
    const extras = await extrasOf(kinds, input.q, segments, { db, workspaceId })
    const rows = await findHits(db, kinds, input, segments, workspaceId, extras)
    const { shown, hasMore } = cutAt(rows, limit)
    return { data: shown.map((row) => toHit(row, input.q)), hasMore }
  }
}

const readScope = (segment: CollectionSegment): Scope => `${segment}:read`

/** The collections to be searched: those of `types`, which the key must be able to read, or all that it can read. */
export function readable(
  types: readonly CollectionSegment[] | undefined,
  held: readonly string[],
): readonly CollectionSegment[] {
  const asked = types ?? collectionSegments
  const allowed = asked.filter((segment) => covers(held, readScope(segment)))
  if (types === undefined ? allowed.length > 0 : allowed.length === types.length) return allowed
  const requiredScopes = asked.filter((segment) => !allowed.includes(segment)).map(readScope)
  const detail =
    types === undefined
      ? `A search needs one of ${requiredScopes.join(', ')}.`
      : `To search this a key needs ${requiredScopes.join(', ')}.`
  throw new Fault('insufficient_scope', detail, { requiredScopes })
}

const toHit = ({ passage: found, updatedAt, ...row }: HitRow, q: string): SearchHit => ({
  ...row,
  snippet: snippetOf(found === null ? null : marked(found, q)),
  updatedAt: updatedAt.toISOString(),
})
