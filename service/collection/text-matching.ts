// A search text `q` as ids of objects. A word matches words of title and text that begin with it. It also matches any
// part of a title, and where few objects match so, a title in which it is misspelt. A phrase in quotation marks matches
// these words alone, one after the other.
//
// Whatever is searched for, the database does a bounded amount of work: each way of matching is a statement over its
// index alone, cut after so many ids, and what is done for each row (is it visible, how well does it match) is done for
// these. The words of each object are stored in `<table>_search`, kept by a trigger, so that none are worked out in a
// search. `q` is hidden from the planner in a subquery: for a frequent word it would choose to read the rows.
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/call.ts'
import { chunksOf, partsOf, wordsOfChunk, type Chunk, type Part } from '../text/search-words.ts'
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
/** Of so many objects that changed last it is seen whether most of a workspace has the words. */
const sampled = 500
/** From one in so many on, reading each object costs less than looking up those that the index names. */
const mostIsOneIn = 10
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
  const query = wordQuery(q)
  const isMost = query !== null && (await hasMost(call.db, searched.table, call.workspaceId, query))
  return frequent(searched, terms, isMost)
}

async function hasMost(db: Call['db'], table: string, workspaceId: string, words: string): Promise<boolean> {
  const newest = newestOf(table, workspaceId, sampled, Prisma.sql`s.workspace_id, s.id`)
  const found = await idsOf(db, Prisma.sql`SELECT t.id FROM (${newest}) t WHERE ${storedWordsMatch(table, words)}`)
  return found.length * mostIsOneIn > sampled
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

/**
 * All rows have what they are found by from the indexes at once, one on the way from where its words are stored. Short
 * parts of titles, which no index knows, are looked for in each row; so are titles where most rows have the words.
 */
function frequent(searched: Searched, terms: Terms, isMost: boolean): Match {
  const { q, workspaceId } = terms
  const { table, titleColumn } = searched
  const query = wordQuery(q)
  const { inWords, inTitle } = sources(searched, workspaceId, q)
  const ids = Prisma.sql`SELECT NULL::uuid WHERE FALSE ${others(searched, terms)}`
  const inItsTitle = matchesTitle(Prisma.raw(`folded(t.${titleColumn})`), q)
  const onTheWay = (hasWords: Prisma.Sql): Prisma.Sql =>
    Prisma.sql`(${hasWords} OR ${inItsTitle} OR t.id = ANY(ARRAY(${ids})))`
  return {
    all:
      isMost || (looksInTitles(q) && !hasTrigram(q))
        ? onTheWay(Prisma.sql`t.id IN (${inWords})`)
        : Prisma.sql`t.id IN (${inWords} UNION ALL ${inTitle} UNION ALL ${ids})`,
    onTheWay: onTheWay(query === null ? Prisma.sql`FALSE` : storedWordsMatch(table, query)),
  }
}

/** Whether the row `t` has the words. */
const storedWordsMatch = (table: string, words: string): Prisma.Sql =>
  Prisma.sql`(SELECT s.words @@ ${tsquery(words)} FROM ${Prisma.raw(`${table}_search`)} s
    WHERE s.workspace_id = t.workspace_id AND s.id = t.id)`

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
  const columns = Prisma.raw(`s.id, s.${titleColumn}`)
  const newest = (count: number): Prisma.Sql =>
    Prisma.sql`SELECT s.id FROM (${newestOf(table, workspaceId, count, columns)}) s WHERE ${matchesTitle(title, q)}`
  const nothing = Prisma.sql`SELECT s.id FROM ${objects} s WHERE FALSE AND ${inWorkspace}`
  return {
    inWords:
      query === null
        ? nothing
        : Prisma.sql`SELECT s.id FROM ${Prisma.raw(`${table}_search`)} s
            WHERE ${inWorkspace} AND stored_words(s.words) @@ ${tsquery(query)}`,
    inTitle: !looksInTitles(q)
      ? nothing
      : hasTrigram(q)
        ? Prisma.sql`SELECT s.id FROM ${objects} s WHERE ${inWorkspace} AND ${matchesTitle(title, q)}`
        : newest(newestWithPart),
    similar:
      !looksInTitles(q) || q.trim().length > similarLengthMax
        ? nothing
        : Prisma.sql`SELECT s.id FROM ${objects} s WHERE ${inWorkspace} AND ${typed(q)} <% ${title}`,
    newest,
  }
}

/**
 * Selects columns of the rows `s` that changed last. Before ANALYZE the planner takes every workspace for small, and
 * would sort all of it to find them: so it is told where the workspace begins and ends in the index, whose rows it does
 * not try to guess.
 */
const newestOf = (table: string, workspaceId: string, count: number, columns: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT ${columns} FROM ${Prisma.raw(table)} s
  WHERE (s.workspace_id, s.updated_at, s.id) BETWEEN (${workspaceId}::uuid, '-infinity', ${firstId}::uuid)
    AND (${workspaceId}::uuid, 'infinity', ${lastId}::uuid)
  ORDER BY s.workspace_id DESC, s.updated_at DESC, s.id DESC LIMIT ${Prisma.raw(String(count))}`

/** Between 0 and 1: the identifier is best, then the whole title, then a title with all words, then a similar title. */
export function searchScore({ titleColumn, selectIdentified }: Searched, workspaceId: string, q: string): Prisma.Sql {
  const title = Prisma.raw(`folded(t.${titleColumn})`)
  const identified = selectIdentified?.(q, workspaceId) ?? null
  const isIdentified = identified === null ? Prisma.sql`FALSE` : Prisma.sql`t.id = ANY(ARRAY(${identified}))`
  const step = Prisma.sql`CASE WHEN ${isIdentified} THEN 4 WHEN ${title} = ${typed(q)} THEN 3
    WHEN ${holdsAll(title, q)} THEN 2 ELSE 0 END`
  return Prisma.sql`round(((${step} + word_similarity(${typed(q)}, ${title})) / 5)::numeric, 4)::float8`
}

/** Case is folded by this function of the database alone, as its indexes are. */
export const folded = (text: string): Prisma.Sql => Prisma.sql`folded(${text}::text)`

/** Subqueries hide the values from the planner. */
const tsquery = (query: string): Prisma.Sql => Prisma.sql`(SELECT ${query}::tsquery)`

const hidden = (text: string): Prisma.Sql => Prisma.sql`(SELECT ${text}::text)`

const typed = (q: string): Prisma.Sql =>
  hidden(
    partsOf(q, partsMax)
      .map(({ text }) => text)
      .join(' '),
  )

const holdsAll = (title: Prisma.Sql, q: string): Prisma.Sql => {
  const parts = partsOf(q, partsMax).map(({ text }) => Prisma.sql`${title} LIKE ${hidden(`%${escapeLike(text)}%`)}`)
  return parts.length === 0 ? Prisma.sql`FALSE` : Prisma.sql`(${Prisma.join(parts, ' AND ')})`
}

/** With a phrase, words and phrases are all that is looked for. */
const matchesTitle = (title: Prisma.Sql, q: string): Prisma.Sql =>
  partsOf(q, partsMax).some(({ isPhrase }) => isPhrase) ? Prisma.sql`FALSE` : holdsAll(title, q)

/** Where each character is a word, the words know every part of a title. */
const looksInTitles = (q: string): boolean => {
  const parts = partsOf(q, partsMax)
  return parts.every(({ isPhrase }) => !isPhrase) && parts.some(({ text }) => !chunksOf(text).every(isUnspacedChunk))
}
const isUnspacedChunk = ({ isUnspaced }: Chunk): boolean => isUnspaced

/** Whether the index of titles, which is one of three characters that follow each other, knows a part of any word. */
const hasTrigram = (q: string): boolean => partsOf(q, partsMax).some(({ text }) => /[\p{L}\p{N}]{3}/u.test(text))

/** A part of a folded search: a word, by its beginning or as a whole, or characters that are found anywhere. */
export type Sought = Chunk & { readonly isWhole: boolean }

export const soughtIn = (q: string): Sought[] =>
  partsOf(q, partsMax).flatMap(({ text, isPhrase }) =>
    chunksOf(text).map((chunk, at, all) => ({ ...chunk, isWhole: isPhrase || at < all.length - 1 })),
  )

/**
 * The query for objects with each part of `q`: its words follow each other, as in a phrase, an address, a file name or
 * 3.14, and the last of what is no phrase is the beginning of a word. Returns null when `q` has no word.
 */
export function wordQuery(q: string): string | null {
  const terms = partsOf(q, partsMax).flatMap(termOf)
  return terms.length === 0 ? null : terms.join(' & ')
}

function termOf({ text, isPhrase }: Part): string[] {
  const words = chunksOf(text).flatMap((chunk, at, all) => {
    const own = wordsOfChunk(chunk)
    const isLast = at === all.length - 1
    // The last of several characters may be followed by another one: it is in the word before.
    if (isLast && chunk.isUnspaced) return own.length === 1 ? own.map(beginning) : own.slice(0, -1).map(whole)
    return own.map(isLast && !isPhrase ? beginning : whole)
  })
  if (words.length === 0) return []
  return [words.length === 1 ? words.join('') : `(${words.join(' <-> ')})`]
}

const whole = (word: string): string => `'${word}'`
const beginning = (word: string): string => `${whole(word)}:*`

/** Escapes text for LIKE, so that every character stands for itself. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
