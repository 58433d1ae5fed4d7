// A search is one statement: the best hits of each collection that was asked for, and of these the best.
import { Fault } from '#contract/faults/fault.ts'
import type { Input } from '#contract/operation.ts'
import { collectionSegments, covers, type CollectionSegment, type Scope } from '#contract/scopes.ts'
import { type SearchHit, type search, searchHitsDefault } from '#contract/search.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { EachCollection } from '../collection/each-collection.ts'
import type { Handler } from '../execution/handler.ts'
import { searchedKindsIn, type SearchedKind, type SearchedKinds } from './searched-kinds.ts'
import { marked, passage, snippetOf } from './snippet.ts'
import { searchScore, selectRanked } from '../lists/search-terms.ts'

type Asked = Input<typeof search>
type Row = Omit<SearchHit, 'snippet' | 'updatedAt'> & { readonly updatedAt: Date; readonly passage: string | null }

export function query(eachCollection: EachCollection): Handler<typeof search> {
  const kinds = searchedKindsIn(eachCollection)
  return async (input, { db, workspaceId, principal }) => {
    const { limit = searchHitsDefault } = input
    const statement = searchStatement(kinds, input, readable(input.types, principal.scopes), workspaceId)
    const rows = await db.$queryRaw<Row[]>(statement)
    return { data: rows.slice(0, limit).map((row) => toHit(row, input.q)), hasMore: rows.length > limit }
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

/** Selects one hit more than `limit`, which tells whether there are more. Of equal hits the newest comes first. */
export function searchStatement(
  kinds: SearchedKinds,
  { q, limit = searchHitsDefault, includeArchived = false }: Asked,
  segments: readonly CollectionSegment[],
  workspaceId: string,
): Prisma.Sql {
  const best = Prisma.sql`ORDER BY score DESC, id DESC LIMIT ${limit + 1}::int`
  const branches = segments.map((segment) =>
    branchOf(kindNamed(kinds, segment), segment, { q, workspaceId, includeArchived }),
  )
  return Prisma.sql`SELECT type, id, title, identifier, kind, status, score, "updatedAt", ${passage('text', q)} AS passage
    FROM (SELECT * FROM (${Prisma.join(
      branches.map((branch) => Prisma.sql`(${branch} ${best})`),
      ' UNION ALL ',
    )}) hit ${best}) hit ORDER BY score DESC, id DESC`
}

function kindNamed(kinds: SearchedKinds, segment: CollectionSegment): SearchedKind {
  const kind = kinds.get(segment)
  if (kind === undefined) throw new Error(`${segment} are not in the list of collections`)
  return kind
}

type Terms = { readonly q: string; readonly workspaceId: string; readonly includeArchived: boolean }

function branchOf(
  searched: SearchedKind,
  segment: CollectionSegment,
  { q, workspaceId, includeArchived }: Terms,
): Prisma.Sql {
  const { collection, identifier, kind, status, archived } = searched
  const { titleColumn, textColumn, from } = collection
  const shown =
    Prisma.raw(`t.id, t.${titleColumn} AS title, ${identifier} AS identifier, ${kind} AS kind, ${status} AS status,
    t.updated_at AS "updatedAt", t.${textColumn} AS text`)
  const condition = Prisma.sql`t.deleted_at IS NULL AND ${includeArchived ? Prisma.sql`TRUE` : Prisma.raw(`NOT (${archived})`)}`
  return Prisma.sql`SELECT ${segment}::text AS type, ${shown}, ${searchScore(collection, workspaceId, q)} AS score
    FROM ${from} WHERE t.workspace_id = ${workspaceId}::uuid AND ${condition}
      AND t.id = ANY(ARRAY(${selectRanked(collection, { from, condition }, workspaceId, q)}))`
}

const toHit = ({ passage: found, updatedAt, ...row }: Row, q: string): SearchHit => ({
  ...row,
  snippet: snippetOf(found === null ? null : marked(found, q)),
  updatedAt: updatedAt.toISOString(),
})
