// What a line of Markdown begins, by the rules of CommonMark 0.31. Pure.

export type Fence = { readonly mark: string; readonly length: number }
type ListMarker = {
  /** The column at which the text of the item begins. */
  readonly width: number
  /** It may follow the text of a paragraph without a blank line. */
  readonly interrupts: boolean
}

export const isBlank = (line: string): boolean => !/[^ \t]/.test(line)

const tabStop = 4

/** Columns of white space before the text. */
export function indentOf(line: string): number {
  let column = 0
  for (const character of line) {
    if (character === ' ') column += 1
    else if (character === '\t') column += tabStop - (column % tabStop)
    else break
  }
  return column
}

const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s

export function atxHeading(line: string): { readonly level: number; readonly title: string } | null {
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

export function underlineLevel(line: string): 1 | 2 | null {
  const found = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)
  return found === null ? null : found[1]?.startsWith('=') ? 1 : 2
}

export const isThematicBreak = (line: string): boolean =>
  /^ {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/.test(line)

export function fenceAt(line: string): Fence | null {
  const [, marks] = /^ {0,3}(?:(`{3,})[^`]*$|(~{3,}))/.exec(line)?.filter((each) => each !== undefined) ?? []
  return marks === undefined ? null : { mark: marks.charAt(0), length: marks.length }
}

export function isClosedBy({ mark, length }: Fence, line: string): boolean {
  const [, marks = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? []
  return marks.startsWith(mark) && marks.length >= length
}

export const quoteMark = /^ {0,3}>/

const listMark = /^( {0,3})([-+*]|(\d{1,9})[.)])([ \t]+|$)/

export function listMarkerAt(line: string): ListMarker | null {
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

/** What ends the HTML block that the line begins; null where it begins none. Any other tag stands alone, after a blank. */
export function htmlEndAt(line: string, isInParagraph: boolean): RegExp | null {
  if (!/^ {0,3}</.test(line)) return null
  const known = htmlBlocks.find(({ start }) => start.test(line))
  if (known !== undefined) return known.end
  return !isInParagraph && tagAlone.test(line) ? /^[ \t]*$/ : null
}

export const isLinkDefinition = (line: string): boolean => /^ {0,3}\[[^\]]+\]:/.test(line)

// Most lines are text: they are known by how they begin.
const mayBeginABlock = /^[ \t]*[-+*_#=~`<>0-9]/

/** The line goes on with a paragraph that is open. */
export function isPlainText(line: string): boolean {
  if (!mayBeginABlock.test(line) || indentOf(line) >= tabStop) return true
  const begun = [atxHeading(line), fenceAt(line), htmlEndAt(line, true)].some((each) => each !== null)
  return !begun && !isThematicBreak(line) && !quoteMark.test(line) && listMarkerAt(line)?.interrupts !== true
}

/** What follows the marks of lists and quotations is the text of a paragraph. */
export function opensParagraph(line: string): boolean {
  let rest = line.trim()
  for (let marked = stripMark(rest); marked !== rest; marked = stripMark(rest)) rest = marked
  return rest !== '' && isPlainText(rest)
}

const stripMark = (line: string): string => line.replace(/^(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))[ \t]*/, '')
