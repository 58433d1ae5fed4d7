// The statement of a search: the best hits of each collection that is searched, and of these the best. A collection is
// searched by its title and its text.
import type { Input } from '#contract/operation.ts'
import type { CollectionSegment } from '#contract/scopes.ts'
import { searchHitsDefault, type SearchHit, type search } from '#contract/search.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, query, type RowOf } from '#prisma/statements.ts'
import type { Collection, EachCollection, Resource } from '../collection/definition.ts'
import { rowsFor } from '../collection/pagination.ts'
import { searchScore, selectRanked, soughtIn, termsOf, type Searched, type Terms } from '../collection/text-matching.ts'
import type { Call } from '../execution/call.ts'
import { patternOf } from '../text/search-words.ts'
import { leadLengthMax } from './snippet.ts'

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
  collection: SearchedKind['collection'] & Pick<Collection<Resource, CollectionSegment>, 'segment' | 'inSearch'>,
): readonly [CollectionSegment, SearchedKind] => [
  collection.segment,
  { identifier: none, kind: none, status: none, archived: 'FALSE', ...collection.inSearch, collection },
]

type SearchInput = Input<typeof search>
/** Of equal hits the newest comes first. */
export function searchStatement(
  kinds: SearchedKinds,
  { q, limit = searchHitsDefault, includeArchived = false }: SearchInput,
  segments: readonly CollectionSegment[],
  workspaceId: string,
  extras: ReadonlyMap<CollectionSegment, Prisma.Sql | null> = new Map(),
): Prisma.Sql {
  const best = Prisma.sql`ORDER BY score DESC, id DESC LIMIT ${rowsFor(limit)}::int`
  const branches = segments.map((segment) =>
    branchOf(kindNamed(kinds, segment), segment, {
      q,
      workspaceId,
      includeArchived,
      extra: extras.get(segment) ?? null,
    }),
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

/** What each of these collections is searched for besides its words. */
export async function extrasOf(
  kinds: SearchedKinds,
  q: string,
  segments: readonly CollectionSegment[],
  call: Pick<Call, 'db' | 'workspaceId'>,
): Promise<ReadonlyMap<CollectionSegment, Prisma.Sql | null>> {
  const extras = new Map<CollectionSegment, Prisma.Sql | null>()
  for (const segment of segments)
    extras.set(segment, (await termsOf(kindNamed(kinds, segment).collection, call, q)).extra)
  return extras
}

type SearchTerms = Terms & { readonly includeArchived: boolean }

function branchOf(searched: SearchedKind, segment: CollectionSegment, terms: SearchTerms): Prisma.Sql {
  const { q, workspaceId, includeArchived } = terms
  const { collection, identifier, kind, status, archived } = searched
  const { titleColumn, textColumn, from } = collection
  const shown =
    Prisma.raw(`t.id, t.${titleColumn} AS title, ${identifier} AS identifier, ${kind} AS kind, ${status} AS status,
    t.updated_at AS "updatedAt", t.${textColumn} AS text`)
  const condition = Prisma.sql`t.deleted_at IS NULL AND ${includeArchived ? Prisma.sql`TRUE` : Prisma.raw(`NOT (${archived})`)}`
  return Prisma.sql`SELECT ${segment}::text AS type, ${shown}, ${searchScore(collection, workspaceId, q)} AS score
    FROM ${from} WHERE t.workspace_id = ${workspaceId}::uuid AND ${condition}
      AND t.id = ANY(ARRAY(${selectRanked(collection, { from, condition }, terms)}))`
}

/** The characters of a text that the search index covers. */
const textLengthMax = 100_000
/** Of a text, what is looked at for a snippet. */
const passageLength = 2_000

/** Words beyond these are not looked for. */
const soughtMax = 8

/** Selects the text around the first of the words; any of them, since all are seldom near each other. */
function passage(column: string, q: string): Prisma.Sql {
  const sought = soughtIn(q).slice(0, soughtMax)
  if (sought.length === 0) return Prisma.sql`NULL::text`
  const text = Prisma.raw(`left(${column}, ${textLengthMax})`)
  const [lead, length] = [Prisma.raw(String(leadLengthMax)), Prisma.raw(String(passageLength))]
  const patterns = sought.map(({ text: word, isUnspaced }) => `${isUnspaced ? '' : '\\m'}${patternOf(word)}`)
  // In the order of Unicode, like all else: what is a letter, no locale decides. Postgres 14 has no regexp_instr: the
  // length of what is before the first word is that of all where there is none.
  const before = Prisma.sql`length(regexp_replace(${text} COLLATE name_order, ${`(?:${patterns.join('|')}).*`}::text, ''))`
  const first = Prisma.sql`CASE WHEN before < length(${text}) THEN before + 1 ELSE 0 END`
  // The rest of a word that was cut goes.
  return Prisma.sql`(SELECT CASE WHEN at <= ${lead} THEN left(${text}, ${length})
    ELSE regexp_replace(substr(${text}, at - ${lead}, ${length}), '^\\S{1,40}\\s', '') END FROM (SELECT ${first} AS at FROM (SELECT ${before} AS before) looked) found)`
}

const hitColumns = {
  type: column.text.of<SearchHit['type']>(),
  id: column.uuid,
  title: column.text,
  identifier: column.text.orNull,
  kind: column.text.orNull,
  status: column.text.orNull,
  score: column.float,
  updatedAt: column.time,
  passage: column.text.orNull,
}
export type HitRow = RowOf<typeof hitColumns>

const anyKind = searchedKind({
  table: 'document',
  titleColumn: 'title',
  textColumn: 'content',
  from: Prisma.sql`document t`,
  segment: 'documents',
})
export const findHits = query(hitColumns, searchStatement, [[new Map([anyKind]), { q: 'plan' }, ['documents'], '']])
