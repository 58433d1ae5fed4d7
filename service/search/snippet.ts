// The part of a text that has the searched words, as one line of plain text with `**` around each of them.
import { snippetLengthMax } from '#contract/search.ts'
import { soughtIn, type Sought } from '../collection/text-matching.ts'
import { chunksOf, foldText, type Chunk } from '../text/search-words.ts'

const mark = '**'
/** The characters shown before the first word found, when it is far from the beginning. */
export const leadLengthMax = 60

/** Marks what was found in the text: each word that begins with one of `q`, as the search compares them. */
export function marked(text: string, q: string): string {
  const plain = text.replaceAll(mark, '')
  const { folded, starts } = foldEach(plain)
  const sought = soughtIn(q)
  let shown = ''
  let done = 0
  for (const [from, to] of chunksOf(folded).flatMap((chunk) => foundIn(chunk, sought))) {
    // A character that was folded to several is marked as a whole.
    const [start, end] = [starts[from] ?? 0, starts.find((each, at) => at >= to && each > (starts[to - 1] ?? 0))]
    if (start < done) continue
    shown += `${plain.slice(done, start)}${mark}${plain.slice(start, end)}${mark}`
    done = end ?? plain.length
  }
  return shown + plain.slice(done)
}

/** The folded text, and for each of its units where in the text the character begins that it was made of. */
function foldEach(text: string): { readonly folded: string; readonly starts: readonly number[] } {
  const starts: number[] = []
  let folded = ''
  let at = 0
  for (const character of text) {
    const each = foldText(character)
    folded += each
    for (let unit = 0; unit < each.length; unit += 1) starts.push(at)
    at += character.length
  }
  return { folded, starts }
}

type Range = readonly [from: number, to: number]

/** What was found of a word is the word, of other characters these alone. */
function foundIn({ text, at, isUnspaced }: Chunk, sought: readonly Sought[]): Range[] {
  const fitting = sought.filter((each) => each.isUnspaced === isUnspaced)
  if (!isUnspaced) {
    const isFound = fitting.some((each) => (each.isWhole ? text === each.text : text.startsWith(each.text)))
    return isFound ? [[at, at + text.length]] : []
  }
  const found: Range[] = []
  for (let from = 0; from < text.length; from += 1) {
    const length = Math.max(
      0,
      ...fitting.filter((each) => text.startsWith(each.text, from)).map((each) => each.text.length),
    )
    if (length > 0) found.push([at + from, at + from + length])
    if (length > 1) from += length - 1
  }
  return found
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
