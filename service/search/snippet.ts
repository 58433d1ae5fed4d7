// The part of a text that has the searched words, as one line of plain text with `**` around each of them.
import { snippetLengthMax } from '#contract/search.ts'
import { wordPattern, wordsOf } from '../collection/text-matching.ts'
import { foldCase } from '../text/characters.ts'

const mark = '**'
/** The characters shown before the first word found, when it is far from the beginning. */
export const leadLengthMax = 60

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
