// A text as lines, each with its end: LF, CRLF or CR, as CommonMark has them. Pure.

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
