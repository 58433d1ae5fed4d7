// A part of a document's content, with the outline by which the next one is chosen.
import type { readDocumentContent } from '#contract/documents.ts'
import type { Input, Output } from '#contract/operation.ts'
import { find } from '../collection/find.ts'
import type { Handler } from '../execution/handler.ts'
import { refuseParameter } from '../faults/field-refusals.ts'
import { documents } from './collection.ts'
import { linesOf, type Lines } from './lines.ts'
import { findSection, outlineOf, sectionsOf, sectionsWithin, type Section } from './sections.ts'

type Asked = Omit<Input<typeof readDocumentContent>, 'id'>
type Part = Omit<Output<typeof readDocumentContent>, 'id' | 'object' | 'version' | 'title'>
type Range = { readonly from: number; readonly to: number }

export const readContent: Handler<typeof readDocumentContent> = async ({ id, ...asked }, call) => {
  const { version, title, content } = await find(call.db, documents, call.workspaceId, id)
  return { id, object: 'document_content', version, title, ...partOf(content, asked) }
}

/** Throws `invalid_parameter` where there is no such part. */
export function partOf(content: string, asked: Asked): Part {
  const lines = linesOf(content)
  const sections = sectionsOf(lines)
  const section = sectionIn(sections, asked)
  const range = section === null ? rangeOf(lines, asked) : { from: section.fromLine, to: section.toLine }
  const shown = fitting(lines, range, asked.maxBytes)
  const within = sectionsWithin(sections, section)
  return {
    text: lines.slice(shown.from, shown.to),
    fromLine: shown.from,
    toLine: shown.to,
    nextLine: shown.to < range.to ? shown.to + 1 : null,
    totalLines: lines.count,
    totalBytes: Buffer.byteLength(content),
    outline: outlineOf(within),
    headingCount: within.length,
  }
}

function sectionIn(sections: readonly Section[], { section, fromLine, toLine }: Asked): Section | null {
  if (section === undefined) return null
  if (fromLine !== undefined || toLine !== undefined) {
    refuseParameter('section', 'unknown', 'Is not taken together with lines: `outline` says which lines it has.')
  }
  const found = findSection(sections, section)
  return 'section' in found
    ? found.section
    : refuseParameter('section', found.isMany ? 'not_unique' : 'not_found', found.flaw)
}

function rangeOf({ count }: Lines, { fromLine: from = 1, toLine: to = count }: Asked): Range {
  if (from > Math.max(1, count)) refuseParameter('fromLine', 'too_large', `The document has ${count} lines.`)
  if (to < Math.min(from, count)) refuseParameter('toLine', 'too_small', 'Is before `fromLine`.')
  return { from, to: Math.min(to, count) }
}

/** Whole lines from the first on, at least one. */
function fitting(lines: Lines, { from, to }: Range, bytesMax = Infinity): Range {
  let bytes = 0
  for (let line = from; line <= to; line += 1) {
    bytes += Buffer.byteLength(lines.slice(line, line))
    if (bytes > bytesMax && line > from) return { from, to: line - 1 }
  }
  return { from, to }
}
