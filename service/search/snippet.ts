// The part of a text that has the words, as one line of plain text with `**` around them.
import { snippetLengthMax } from '#contract/search.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { anyWordQuery, tsquery } from '../lists/search-terms.ts'

/** As much of a text as the index knows. */
const textLengthMax = 100_000
const mark = '**'
const options = `StartSel=${mark}, StopSel=${mark}, MaxWords=25, MinWords=10`
/** Of what stands before the first word found, where that is far. */
const leadLengthMax = 60

/** Of the words any: to look for a passage that has them all can take a time that grows with the square of the text. */
export function headline(column: string, q: string): Prisma.Sql {
  const query = anyWordQuery(q)
  if (query === null) return Prisma.sql`NULL::text`
  const text = Prisma.raw(`replace(left(${column}, ${textLengthMax}), '${mark}', '')`)
  return Prisma.sql`ts_headline('simple', ${text}, ${tsquery(query)}, ${options})`
}

export function snippetOf(found: string | null): string | null {
  const line = (found ?? '').replaceAll(/\s+/gu, ' ').trim()
  const first = line.indexOf(mark)
  if (first < 0) return null
  const near = first > snippetLengthMax / 2 ? `…${wellFormed(line.slice(first - leadLengthMax))}` : line
  const cut = near.length <= snippetLengthMax ? near : `${closedWithin(near, snippetLengthMax - 1)}…`
  return cut.includes(mark) ? cut : null
}

/** No mark is left open or halved. */
function closedWithin(text: string, length: number): string {
  const parts = text.slice(0, length).split(mark)
  const last = parts.pop() ?? ''
  const isOpen = parts.length % 2 === 1
  return wellFormed((isOpen ? parts : [...parts, last.replace(/\*$/, '')]).join(mark)).trimEnd()
}

/** Without the half of a character that a cut has left at either end. */
const wellFormed = (text: string): string => text.replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
