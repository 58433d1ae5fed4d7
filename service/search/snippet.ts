// The part of a text that has the searched words, as one line of plain text with `**` around each of them.
import { snippetLengthMax } from '#contract/search.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { anyWordQuery, tsquery, wordsOf } from '../lists/search-terms.ts'

/** The characters of a text that the search index covers. */
const textLengthMax = 100_000
const mark = '**'
const options = `StartSel=${mark}, StopSel=${mark}, MaxWords=25, MinWords=10`
/** The characters shown before the first word found, when it is far from the beginning. */
const leadLengthMax = 60
/** Of a text, what is looked at for a snippet. */
const passageLength = 2_000

/** Looks for any of the words: finding a passage with all of them takes time by the square of the text's length. */
export function headline(column: string, q: string): Prisma.Sql {
  const query = anyWordQuery(q)
  if (query === null) return Prisma.sql`NULL::text`
  return Prisma.sql`ts_headline('simple', replace(${passage(column, q)}, '${Prisma.raw(mark)}', ''), ${tsquery(query)}, ${options})`
}

/** Around the first of the words: finding the words of a long text takes ten times as long as finding one place in it. */
function passage(column: string, q: string): Prisma.Sql {
  const text = Prisma.raw(`left(${column}, ${textLengthMax})`)
  const [lead, length] = [Prisma.raw(String(leadLengthMax)), Prisma.raw(String(passageLength))]
  const first = Prisma.sql`regexp_instr(${text}, ${`\\m(?:${wordsOf(q).join('|')})`}::text, 1, 1, 0, 'i')`
  // What is left of a word that was cut goes.
  return Prisma.sql`(SELECT CASE WHEN at <= ${lead} THEN left(${text}, ${length})
    ELSE regexp_replace(substr(${text}, at - ${lead}, ${length}), '^\\S{1,40}\\s', '') END FROM (SELECT ${first} AS at) found)`
}

export function snippetOf(found: string | null): string | null {
  const line = (found ?? '').replaceAll(/\s+/gu, ' ').trim()
  const first = line.indexOf(mark)
  if (first < 0) return null
  const excerpt = first > snippetLengthMax / 2 ? `…${wellFormed(line.slice(first - leadLengthMax))}` : line
  const cut = excerpt.length <= snippetLengthMax ? excerpt : `${cutClosed(excerpt, snippetLengthMax - 1)}…`
  return cut.includes(mark) ? cut : null
}

/** Cuts the text so that no mark stays open or is halved. */
function cutClosed(text: string, length: number): string {
  const parts = text.slice(0, length).split(mark)
  const last = parts.pop() ?? ''
  const isOpen = parts.length % 2 === 1
  return wellFormed((isOpen ? parts : [...parts, last.replace(/\*$/, '')]).join(mark)).trimEnd()
}

/** Drops the half of a surrogate pair that a cut has left at either end. */
const wellFormed = (text: string): string => text.replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
