// A search text `q` as ids of objects. A word matches words of title and text that begin with it. It also matches any
// part of a title, and where few objects match so, a title in which it is misspelt.
//
// Whatever is searched for, the database does a bounded amount of work: each way of matching is a statement over its
// index alone, cut after so many ids, and what is done for each row (is it visible, how well does it match) is done for
// these. The words of each object are stored in `<table>_search`, kept by a trigger, so that none are worked out in a
// search. `q` is hidden from the planner in a subquery: for a frequent word it would choose to read the rows.
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/call.ts'
import { idsOf } from './read-rows.ts'

export type Searched = {
  readonly table: string
  readonly titleColumn: string
  readonly textColumn: string
  /** Selects the ids of objects with this identifier. */
  readonly selectIdentified?: (q: string, workspaceId: string) => Prisma.Sql | null
  /** Selects the ids of others that match although their words do not. */
  readonly selectExtra?: (q: string, call: Pick<Call, 'db' | 'workspaceId'>) => Promise<Prisma.Sql>
}

/** `extra` selects the ids that `selectExtra` has told. */
export type Terms = { readonly q: string; readonly workspaceId: string; readonly extra: Prisma.Sql | null }

export const termsOf = async (
  { selectExtra }: Searched,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
  q: string,
): Promise<Terms> => ({ q, workspaceId, extra: (await selectExtra?.(q, { db, workspaceId })) ?? null })

/** Further words of `q` are ignored. */
const partsMax = 20
/**
 * How many objects of one kind a search ranks, for each way of matching, and how many it looks at to find visible ones.
 */
const rankedMax = 1_000
const lookedAtMax = 4_000
/** Of objects that match a frequent word, those with it in the title are looked for among so many that changed last. */
const newestRanked = 1_000
/** Two characters have no index: they are looked for in the titles of so many that changed last. */
const newestWithPart = 10_000
/**
 * Misspelt titles are looked for where fewer objects than this match otherwise, by a text that may be most of a title.
 */
const similarBelow = 50
const similarLengthMax = 64
/** The smallest and the largest id. */
export const firstId = '00000000-0000-0000-0000-000000000000'
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const similarMax = 1_000
/** Beyond so many matches a list does not collect them, but looks at each row on the way. */
export const listedMax = 5_000

/** How the rows of a kind are found and seen: `from` is over the table `t`, `visible` a condition over it. */
export type Visible = { readonly from: Prisma.Sql; readonly condition: Prisma.Sql }

/** Selects the ids of the objects that a search ranks: at most a few thousand, and any of those that match best. */
export function selectRanked(searched: Searched, { from, condition }: Visible, terms: Terms): Prisma.Sql {
  const { q, workspaceId } = terms
  const shown = (source: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT t.id FROM ${from} WHERE t.workspace_id = ${workspaceId}::uuid AND ${condition}
      AND t.id = ANY(ARRAY(${source} LIMIT ${Prisma.raw(String(lookedAtMax))}))
    ORDER BY t.id DESC LIMIT ${Prisma.raw(String(rankedMax))}`
  const { inWords, inTitle, similar, newest } = sources(searched, workspaceId, q)
  const [words, titles] = [Prisma.sql`(SELECT count(*) FROM words)`, Prisma.sql`(SELECT count(*) FROM titles)`]
  const isFull = Prisma.sql`greatest(${words}, ${titles}) >= ${Prisma.raw(String(rankedMax))}`
  const isSparse = Prisma.sql`${words} + ${titles} < ${Prisma.raw(String(similarBelow))}`
  return Prisma.sql`WITH words AS MATERIALIZED (${shown(inWords)}), titles AS MATERIALIZED (${shown(inTitle)})
    SELECT id FROM words UNION SELECT id FROM titles
    UNION (${shown(Prisma.sql`${newest(newestRanked)} AND ${isFull}`)})
    UNION (${shown(Prisma.sql`${similar} AND ${isSparse}`)})
    ${others(searched, terms)}`
}

/**
 * Conditions over `t` for the same objects: `all` is for statements that read all of them. Where they are many,
 * `onTheWay` is for a statement that looks at one row after the other until it has enough.
 */
export type Match = { readonly all: Prisma.Sql; readonly onTheWay?: Prisma.Sql }

export const oneOf = (ids: readonly string[]): Prisma.Sql => Prisma.sql`t.id = ANY(${ids}::uuid[])`

/** Tells the objects that match. All of them: what a list leaves out, its reader would miss. */
export async function matching(searched: Searched, call: Pick<Call, 'db' | 'workspaceId'>, q: string): Promise<Match> {
  const terms = await termsOf(searched, call, q)
  const found = await idsOf(call.db, selectListed(searched, terms))
  if (found.length <= listedMax) return { all: oneOf(found.map(({ id }) => id)) }
  return frequent(searched, terms)
}

/**
 * Selects the ids of all that match, or more than `listedMax` ids. Misspelt titles are bounded by themselves: no row
 * can be asked on the way whether its title is similar enough, and yet only where few match otherwise.
 */
function selectListed(searched: Searched, terms: Terms): Prisma.Sql {
  const { q, workspaceId } = terms
  const { inWords, inTitle, similar } = sources(searched, workspaceId, q)
  const cut = Prisma.raw(`LIMIT ${listedMax + 1}`)
  // Where the words alone are too many, the titles would say nothing more.
  const isFew = Prisma.sql`(SELECT count(*) FROM words) <= ${Prisma.raw(String(listedMax))}`
  return Prisma.sql`WITH words AS MATERIALIZED (${inWords} ${cut}), titles AS MATERIALIZED (${inTitle} AND ${isFew} ${cut})
    SELECT id FROM words UNION SELECT id FROM titles
    UNION (${similar} AND (SELECT count(*) FROM words) + (SELECT count(*) FROM titles) < ${Prisma.raw(String(similarBelow))}
      LIMIT ${Prisma.raw(String(similarMax))})
    ${others(searched, terms)}`
}

/** All rows have their words from the index at once, one on the way from where they are stored. */
function frequent(searched: Searched, terms: Terms): Match {
  const { q, workspaceId } = terms
  const { table, titleColumn } = searched
  const query = wordQuery(q)
  const ids = Prisma.sql`SELECT NULL::uuid WHERE FALSE ${others(searched, terms)}`
  const or = (hasWords: Prisma.Sql): Prisma.Sql =>
    Prisma.sql`(${hasWords} OR ${holdsAll(Prisma.raw(`folded(t.${titleColumn})`), q)} OR t.id = ANY(ARRAY(${ids})))`
  if (query === null) return { all: or(Prisma.sql`FALSE`), onTheWay: or(Prisma.sql`FALSE`) }
  return {
    all: or(Prisma.sql`t.id IN (${sources(searched, workspaceId, q).inWords})`),
    onTheWay: or(Prisma.sql`(SELECT s.words @@ ${tsquery(query)} FROM ${Prisma.raw(`${table}_search`)} s
      WHERE s.workspace_id = t.workspace_id AND s.id = t.id)`),
  }
}

/** What else an object is found by, as further parts of a UNION. */
function others({ selectIdentified }: Searched, { q, workspaceId, extra }: Terms): Prisma.Sql {
  const selects = [selectIdentified?.(q, workspaceId) ?? [], extra ?? []].flat()
  return selects.length === 0
    ? Prisma.empty
    : Prisma.join(
        selects.map((each) => Prisma.sql`UNION (${each})`),
        ' ',
      )
}

type MatchStatements = {
  readonly inWords: Prisma.Sql
  readonly inTitle: Prisma.Sql
  readonly similar: Prisma.Sql
  readonly newest: (count: number) => Prisma.Sql
}

/** A statement for each index, to be cut. */
function sources({ table, titleColumn }: Searched, workspaceId: string, q: string): MatchStatements {
  const objects = Prisma.raw(table)
  const inWorkspace = Prisma.sql`s.workspace_id = ${workspaceId}::uuid`
  const title = Prisma.raw(`folded(s.${titleColumn})`)
  const query = wordQuery(q)
  // Before ANALYZE the planner takes every workspace for small, and would sort all of it to find the newest: so it is
  // told where the workspace begins and ends in the index, whose rows it does not try to guess.
  const newest = (count: number): Prisma.Sql => Prisma.sql`SELECT s.id FROM (
      SELECT s.id, s.${Prisma.raw(titleColumn)} FROM ${objects} s
      WHERE (s.workspace_id, s.updated_at, s.id) BETWEEN (${workspaceId}::uuid, '-infinity', ${firstId}::uuid)
        AND (${workspaceId}::uuid, 'infinity', ${lastId}::uuid)
      ORDER BY s.workspace_id DESC, s.updated_at DESC, s.id DESC LIMIT ${Prisma.raw(String(count))}) s
    WHERE ${holdsAll(title, q)}`
  return {
    inWords:
      query === null
        ? Prisma.sql`SELECT s.id FROM ${objects} s WHERE FALSE AND ${inWorkspace}`
        : Prisma.sql`SELECT s.id FROM ${Prisma.raw(`${table}_search`)} s
            WHERE ${inWorkspace} AND stored_words(s.words) @@ ${tsquery(query)}`,
    inTitle: hasTrigram(q)
      ? Prisma.sql`SELECT s.id FROM ${objects} s WHERE ${inWorkspace} AND ${holdsAll(title, q)}`
      : newest(newestWithPart),
    similar:
      q.trim().length > similarLengthMax
        ? Prisma.sql`SELECT s.id FROM ${objects} s WHERE FALSE AND ${inWorkspace}`
        : Prisma.sql`SELECT s.id FROM ${objects} s WHERE ${inWorkspace} AND ${hidden(q.trim())} <% ${title}`,
    newest,
  }
}

/** Between 0 and 1: the identifier is best, then the whole title, then a title with all words, then a similar title. */
export function searchScore({ titleColumn, selectIdentified }: Searched, workspaceId: string, q: string): Prisma.Sql {
  const title = Prisma.raw(`folded(t.${titleColumn})`)
  const typed = hidden(q.trim())
  const identified = selectIdentified?.(q, workspaceId) ?? null
  const isIdentified = identified === null ? Prisma.sql`FALSE` : Prisma.sql`t.id = ANY(ARRAY(${identified}))`
  const step = Prisma.sql`CASE WHEN ${isIdentified} THEN 4 WHEN ${title} = ${typed} THEN 3
    WHEN ${holdsAll(title, q)} THEN 2 ELSE 0 END`
  return Prisma.sql`round(((${step} + word_similarity(${typed}, ${title})) / 5)::numeric, 4)::float8`
}

/** Case is folded by this function of the database alone, as its indexes are. */
export const folded = (text: string): Prisma.Sql => Prisma.sql`folded(${text}::text)`

/** Subqueries hide the values from the planner. */
const tsquery = (query: string): Prisma.Sql => Prisma.sql`(SELECT ${folded(query)}::tsquery)`

const hidden = (text: string): Prisma.Sql => Prisma.sql`(SELECT ${folded(text)})`

const holdsAll = (title: Prisma.Sql, q: string): Prisma.Sql =>
  Prisma.sql`(${Prisma.join(
    partsOf(q).map((part) => Prisma.sql`${title} LIKE ${hidden(`%${escapeLike(part)}%`)}`),
    ' AND ',
  )})`

const partsOf = (q: string): string[] => q.trim().split(/\s+/u).slice(0, partsMax)

/** Whether the index of titles, which is one of three characters that follow each other, knows a part of any word. */
const hasTrigram = (q: string): boolean => partsOf(q).some((part) => /[\p{L}\p{N}]{3}/u.test(part))

/** The words of `q`, without what stands between them. */
export const wordPattern = /[\p{L}\p{N}\p{M}]+/gu
export const wordsOf = (q: string): string[] => partsOf(q).flatMap((part) => part.match(wordPattern) ?? [])

/** The query for objects in which each word of `q` begins a word. Returns null when `q` has no word. */
export function wordQuery(q: string): string | null {
  const terms = partsOf(q).flatMap(termOf)
  return terms.length === 0 ? null : terms.join(' & ')
}

/** An address, a file name or 3.14 is one word to the index, but may be several in the text. */
function termOf(part: string): string[] {
  const words = wordsOf(part)
  if (words.length === 0) return []
  const apart = words.map(beginning).join(' & ')
  const whole = part.replaceAll(/^[^\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+$/gu, '')
  return words.length === 1 && words[0] === whole ? [apart] : [`(${beginningWith(whole)} | (${apart}))`]
}

/** The index reads the 42 of WEB-42 as the number -42. */
const beginning = (word: string): string =>
  /^\p{Nd}+$/u.test(word) ? `(${beginningWith(word)} | ${beginningWith(`-${word}`)})` : beginningWith(word)

const beginningWith = (text: string): string => `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", "''")}':*`

/** Escapes text for LIKE, so that every character stands for itself. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
