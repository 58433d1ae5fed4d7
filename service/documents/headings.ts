// The headings of a Markdown text, read line by line as CommonMark has them: ATX (`## Title`) and setext (underlined).
// What stands in code, HTML, lists, quotations or front matter is no heading of the document. Pure.
import type { Lines } from './lines.ts'
import {
  atxHeading,
  fenceAt,
  htmlEndAt,
  indentOf,
  isBlank,
  isClosedBy,
  isLinkDefinition,
  isPlainText,
  isThematicBreak,
  listMarkerAt,
  opensParagraph,
  quoteMark,
  underlineLevel,
  type Fence,
} from './markdown-blocks.ts'

export type Heading = { readonly level: number; readonly title: string; readonly fromLine: number }

type State = {
  readonly lines: Lines
  readonly found: Heading[]
  /** The first line of the open paragraph; 0: none is open. */
  paragraph: number
  fence: Fence | null
  /** What ends the open HTML block. */
  html: RegExp | null
  /** The column at which the text of the open list item begins; 0: none is open. */
  item: number
  /** A paragraph in a list item or a quotation is open, which a line of plain text continues. */
  isContinued: boolean
}

export function headingsOf(lines: Lines): Heading[] {
  const state: State = { lines, found: [], paragraph: 0, fence: null, html: null, item: 0, isContinued: false }
  for (let number = firstAfterFrontMatter(lines); number <= lines.count; number += 1) {
    const line = lines.line(number)
    if (!isInside(state, line)) readLine(state, line, number)
  }
  return state.found
}

/** YAML between two lines of `---` at the very start, as many tools write it. */
function firstAfterFrontMatter(lines: Lines): number {
  if (lines.line(1) !== '---' || isBlank(lines.line(2))) return 1
  for (let number = 2; number <= lines.count; number += 1) {
    if (/^(?:---|\.\.\.)[ \t]*$/.test(lines.line(number))) return number + 1
  }
  return 1
}

/** The line belongs to a block that is open, or ends a paragraph by being blank. */
function isInside(state: State, line: string): boolean {
  if (state.fence !== null) {
    if (isClosedBy(state.fence, line)) state.fence = null
    return true
  }
  if (state.html !== null) {
    if (state.html.test(line)) state.html = null
    return true
  }
  if (isBlank(line)) {
    Object.assign(state, { paragraph: 0, isContinued: false })
    return true
  }
  return isInContainer(state, line)
}

function isInContainer(state: State, line: string): boolean {
  if (state.item > 0 && indentOf(line) >= state.item) {
    state.isContinued = opensParagraph(line)
    return true
  }
  if (state.isContinued && isPlainText(line)) return true
  Object.assign(state, { item: 0, isContinued: false })
  return false
}

function readLine(state: State, line: string, number: number): void {
  const isInParagraph = state.paragraph > 0
  // Indented code, or a paragraph that goes on.
  if (indentOf(line) >= 4) return
  if (isInParagraph && endsAsHeading(state, line, number)) return
  if (isInParagraph && isPlainText(line)) return
  const marker = listMarkerAt(line)
  if (isInParagraph && marker !== null && !marker.interrupts) return
  state.paragraph = 0
  if (isThematicBreak(line)) return
  const heading = atxHeading(line)
  if (heading !== null) state.found.push({ ...heading, fromLine: number })
  else if (marker !== null) Object.assign(state, { item: marker.width, isContinued: opensParagraph(line) })
  else if (quoteMark.test(line)) state.isContinued = opensParagraph(line)
  else openLeaf(state, line, number, isInParagraph)
}

function openLeaf(state: State, line: string, number: number, isInParagraph: boolean): void {
  state.fence = fenceAt(line)
  if (state.fence !== null) return
  const htmlEnd = htmlEndAt(line, isInParagraph)
  if (htmlEnd === null) state.paragraph = number
  else state.html = htmlEnd.test(line) ? null : htmlEnd
}

/** A line of `=` or `-` makes the paragraph above it a heading, unless all of that only defines links. */
function endsAsHeading(state: State, line: string, number: number): boolean {
  const level = underlineLevel(line)
  if (level === null) return false
  const { lines, found, paragraph: fromLine } = state
  const above = Array.from({ length: number - fromLine }, (_, at) => lines.line(fromLine + at))
  if (above.every(isLinkDefinition)) return false
  found.push({ level, title: above.map((each) => each.trim()).join(' '), fromLine })
  state.paragraph = 0
  return true
}
