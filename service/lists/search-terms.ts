// A search text `q` as conditions over the table `t`. A word matches words of title and text that begin with it. It
// also matches any part of a title, and a title in which it is misspelt. The search migration makes the indexes. Words
// must be looked up in the index: computing those of long texts row by row can take minutes. So the index is asked for
// ids by a statement of its own, with a query that the planner does not see: for a frequent word it would choose to
// read the rows.
import { Prisma } from '#prisma/generated/client.ts'

export type Searched = {
  readonly table: string
  readonly titleColumn: string
  readonly textColumn: string
  /** Conditions for objects with this identifier, and for others that match although their words do not. */
  readonly matchIdentifier?: (q: string, workspaceId: string) => Prisma.Sql
  readonly extraMatch?: (q: string, workspaceId: string) => Prisma.Sql
}

/** Further words of `q` are ignored. */
const partsMax = 20

export function searchCondition(searched: Searched, workspaceId: string, q: string): Prisma.Sql {
  const inWords = Prisma.sql`t.id = ANY(ARRAY(${Prisma.join(statements(searched, workspaceId, q), ' UNION ALL ')}))`
  const others = [searched.matchIdentifier, searched.extraMatch].flatMap((find) => find?.(q, workspaceId) ?? [])
  return Prisma.sql`(${Prisma.join([inWords, ...others], ' OR ')})`
}

/** One statement for each index. */
function statements({ table, titleColumn, textColumn }: Searched, workspaceId: string, q: string): Prisma.Sql[] {
  const select = Prisma.sql`SELECT s.id FROM ${Prisma.raw(table)} s WHERE s.workspace_id = ${workspaceId}::uuid`
  const title = Prisma.raw(`folded(s.${titleColumn})`)
  const inTitle = Prisma.sql`${select} AND (${holdsAll(title, q)} OR ${folded(q.trim())} <% ${title})`
  const query = wordQuery(q)
  if (query === null) return [inTitle]
  const words = Prisma.raw(`search_words(s.${titleColumn}, s.${textColumn})`)
  return [inTitle, Prisma.sql`${select} AND ${words} @@ ${tsquery(query)}`]
}

/** Between 0 and 1: the identifier is best, then the whole title, then a title with all words, then a similar title. */
export function searchScore({ titleColumn, matchIdentifier }: Searched, workspaceId: string, q: string): Prisma.Sql {
  const title = Prisma.raw(`folded(t.${titleColumn})`)
  const typed = folded(q.trim())
  const step = Prisma.sql`CASE WHEN ${matchIdentifier?.(q, workspaceId) ?? Prisma.sql`FALSE`} THEN 4 WHEN ${title} = ${typed} THEN 3
    WHEN ${holdsAll(title, q)} THEN 2 ELSE 0 END`
  return Prisma.sql`round(((${step} + word_similarity(${typed}, ${title})) / 5)::numeric, 4)::float8`
}

/** The subquery hides the value from the planner. */
export const tsquery = (query: string): Prisma.Sql => Prisma.sql`(SELECT folded(${query}::text)::tsquery)`

/** Case is folded by this function of the database alone, as its indexes are. */
export const folded = (text: string): Prisma.Sql => Prisma.sql`folded(${text}::text)`

const holdsAll = (title: Prisma.Sql, q: string): Prisma.Sql =>
  Prisma.sql`(${Prisma.join(
    partsOf(q).map((part) => Prisma.sql`${title} LIKE ${folded(`%${escapeLike(part)}%`)}`),
    ' AND ',
  )})`

const partsOf = (q: string): string[] => q.trim().split(/\s+/u).slice(0, partsMax)

/** The query for objects in which each word of `q` begins a word. Returns null when `q` has no word. */
export const wordQuery = (q: string): string | null => joined(q, ' & ')

/** The query for objects in which any word of `q` begins a word. Returns null when `q` has no word. */
export const anyWordQuery = (q: string): string | null => joined(q, ' | ')

function joined(q: string, by: string): string | null {
  const terms = partsOf(q).flatMap(termOf)
  return terms.length === 0 ? null : terms.join(by)
}

/** An address, a file name or 3.14 is one word to the index, but may be several in the text. */
function termOf(part: string): string[] {
  const words = part.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
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
