// The headings of a Markdown text, read line by line by the rules of CommonMark 0.31: ATX (`## Title`) and setext
// (underlined). Headings in code, HTML, lists, quotations or front matter do not count. Pure.

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

type Fence = { readonly mark: string; readonly length: number }
type ListMarker = {
  /** The column at which the text of the item begins. */
  readonly width: number
  /** It may follow the text of a paragraph without a blank line. */
  readonly interrupts: boolean
}

const isBlank = (line: string): boolean => !/[^ \t]/.test(line)

const tabStop = 4

/** Columns of white space before the text. */
function indentOf(line: string): number {
  let column = 0
  for (const character of line) {
    if (character === ' ') column += 1
    else if (character === '\t') column += tabStop - (column % tabStop)
    else break
  }
  return column
}

const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s

function atxHeading(line: string): { readonly level: number; readonly title: string } | null {
  const found = atx.exec(line)
  if (found === null) return null
  const [, marks = '', text = ''] = found
  // Marks at the end are ornament, unless something else stands right before them.
  return {
    level: marks.length,
    title: text
      .trim()
      .replace(/(^|[ \t])#+$/, '')
      .trim(),
  }
}

function underlineLevel(line: string): 1 | 2 | null {
  const found = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)
  return found === null ? null : found[1]?.startsWith('=') ? 1 : 2
}

const isThematicBreak = (line: string): boolean =>
  /^ {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/.test(line)

function fenceAt(line: string): Fence | null {
  const [, marks] = /^ {0,3}(?:(`{3,})[^`]*$|(~{3,}))/.exec(line)?.filter((each) => each !== undefined) ?? []
  return marks === undefined ? null : { mark: marks.charAt(0), length: marks.length }
}

function isClosedBy({ mark, length }: Fence, line: string): boolean {
  const [, marks = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? []
  return marks.startsWith(mark) && marks.length >= length
}

const quoteMark = /^ {0,3}>/

const listMark = /^( {0,3})([-+*]|(\d{1,9})[.)])([ \t]+|$)/

function listMarkerAt(line: string): ListMarker | null {
  const found = listMark.exec(line)
  if (found === null) return null
  const [all = '', before = '', mark = '', number = '1', space = ''] = found
  const isEmpty = all.length === line.length
  const padding = indentOf(space)
  // Five columns and more are one, and indented code.
  const width = before.length + mark.length + (isEmpty || padding > tabStop ? 1 : padding)
  return { width, interrupts: !isEmpty && Number(number) === 1 }
}

const htmlBlocks: readonly { readonly start: RegExp; readonly end: RegExp }[] = [
  { start: /^ {0,3}<(?:script|pre|style|textarea)(?:[ \t>]|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
  { start: /^ {0,3}<!--/, end: /-->/ },
  { start: /^ {0,3}<\?/, end: /\?>/ },
  { start: /^ {0,3}<![a-z]/i, end: />/ },
  { start: /^ {0,3}<!\[CDATA\[/, end: /\]\]>/ },
  {
    start:
      /^ {0,3}<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[ \t]|\/?>|$)/i,
    end: /^[ \t]*$/,
  },
]
const tagAlone = /^ {0,3}<(?:[a-z][a-z0-9-]*(?:[ \t][^<>]*)?\/?|\/[a-z][a-z0-9-]*[ \t]*)>[ \t]*$/i

/**
 * The end of the HTML block that the line begins, or null. Any other tag needs a line of its own, after a blank one.
 */
function htmlEndAt(line: string, isInParagraph: boolean): RegExp | null {
  if (!/^ {0,3}</.test(line)) return null
  const known = htmlBlocks.find(({ start }) => start.test(line))
  if (known !== undefined) return known.end
  return !isInParagraph && tagAlone.test(line) ? /^[ \t]*$/ : null
}

const isLinkDefinition = (line: string): boolean => /^ {0,3}\[[^\]]+\]:/.test(line)

// Most lines are text: they are known by how they begin.
const mayBeginABlock = /^[ \t]*[-+*_#=~`<>0-9]/

/** The line goes on with a paragraph that is open. */
function isPlainText(line: string): boolean {
  if (!mayBeginABlock.test(line) || indentOf(line) >= tabStop) return true
  const begun = [atxHeading(line), fenceAt(line), htmlEndAt(line, true)].some((each) => each !== null)
  return !begun && !isThematicBreak(line) && !quoteMark.test(line) && listMarkerAt(line)?.interrupts !== true
}

/** What follows the marks of lists and quotations is the text of a paragraph. */
function opensParagraph(line: string): boolean {
  let rest = line.trim()
  for (let marked = stripMark(rest); marked !== rest; marked = stripMark(rest)) rest = marked
  return rest !== '' && isPlainText(rest)
}

const stripMark = (line: string): string => line.replace(/^(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))[ \t]*/, '')

/** A text as lines, each with its end: LF, CRLF or CR. */
export type Lines = {
  readonly count: number
  /** Without its end. Lines are counted from 1. */
  readonly line: (number: number) => string
  /** Both lines and what is between them, ends included; empty where `to` is less than `from`. */
  readonly slice: (from: number, to: number) => string
  /** Where the line begins; the length of the text for the line after the last. */
  readonly startOf: (number: number) => number
}

const [lineFeed, carriageReturn] = [10, 13]

// Half a million lines fit into a document: they are found unit by unit, without a match object for each.
export function linesOf(text: string): Lines {
  const starts: number[] = []
  for (let at = 0; at < text.length; at = startAfter(text, at)) starts.push(at)
  const startOf = (number: number): number => starts[number - 1] ?? text.length
  return {
    count: starts.length,
    startOf,
    line: (number) => withoutEnd(text, startOf(number), startOf(number + 1)),
    slice: (from, to) => (to < from ? '' : text.slice(startOf(from), startOf(to + 1))),
  }
}

function startAfter(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === lineFeed) return at + 1
    if (unit === carriageReturn) return text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1
  }
  return text.length
}

function withoutEnd(text: string, from: number, to: number): string {
  let end = to
  if (end > from && text.charCodeAt(end - 1) === lineFeed) end -= 1
  if (end > from && text.charCodeAt(end - 1) === carriageReturn) end -= 1
  return text.slice(from, end)
}
