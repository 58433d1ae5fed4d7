// The part of a text that has the searched words, as one line of plain text with `**` around each of them.
import { snippetLengthMax } from '#contract/search.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { wordPattern, wordsOf } from '../collection/text-matching.ts'
import { foldCase } from '../text/characters.ts'

/** The characters of a text that the search index covers. */
const textLengthMax = 100_000
const mark = '**'
/** The characters shown before the first word found, when it is far from the beginning. */
const leadLengthMax = 60
/** Of a text, what is looked at for a snippet. */
const passageLength = 2_000

/** Spellings that are folded alike (service/text/characters.ts), as the database's regular expressions have them. */
const alike: readonly (readonly [string, string])[] = [
  ['ss', '(?:ss|ß)'],
  ['σ', '[σς]'],
  ['i', '[iıİ]'],
]

/** Selects the text around the first of the words; any of them, since all are seldom near each other. */
export function passage(column: string, q: string): Prisma.Sql {
  const words = wordsOf(q)
  if (words.length === 0) return Prisma.sql`NULL::text`
  const text = Prisma.raw(`left(${column}, ${textLengthMax})`)
  const [lead, length] = [Prisma.raw(String(leadLengthMax)), Prisma.raw(String(passageLength))]
  // In the order of Unicode, like all else: what is a letter, and which are the same but for case, no locale decides.
  const first = Prisma.sql`regexp_instr(${text} COLLATE name_order, ${`\\m(?:${words.map(spellings).join('|')})`}::text, 1, 1, 0, 'i')`
  // The rest of a word that was cut goes.
  return Prisma.sql`(SELECT CASE WHEN at <= ${lead} THEN left(${text}, ${length})
    ELSE regexp_replace(substr(${text}, at - ${lead}, ${length}), '^\\S{1,40}\\s', '') END FROM (SELECT ${first} AS at) found)`
}

const spellings = (word: string): string =>
  alike.reduce((pattern, [folded, all]) => pattern.replaceAll(folded, all), foldCase(word))

/** Marks each word of the text that begins with one of `q`, as the search compares them. */
export function marked(text: string, q: string): string {
  const words = wordsOf(q).map(foldCase)
  return text
    .replaceAll(mark, '')
    .replaceAll(wordPattern, (word) =>
      words.some((each) => foldCase(word).startsWith(each)) ? `${mark}${word}${mark}` : word,
    )
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
