// The operations that documents have beside those of every collection: reading a part of the content, and editing it.
import type { readDocumentContent, editDocument, listDocuments } from '#contract/documents.ts'
import type { Output, Input } from '#contract/operation.ts'
import { find } from '../collection/rows.ts'
import { listPage } from '../collection/read.ts'
import { updateObject } from '../collection/write.ts'
import type { Handlers, Handler } from '../execution/call.ts'
import { refuseParameter, refuseField } from '../faults/shared-faults.ts'
import type { Pager } from '../collection/pagination.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { toNfc } from '../text/characters.ts'
import { documents } from './collection.ts'
import { applyEdits, type Edited } from './edits.ts'
import { linesOf, type Lines } from './markdown.ts'
import { withPageBound } from './rules.ts'
import { findSection, outlineOf, sectionsOf, sectionsWithin, type Section } from './sections.ts'

type DocumentDeps = { readonly pager: Pager }

export const documentHandlers = ({ pager }: DocumentDeps) =>
  ({
    'documents.list': list(pager),
    'documents.read-content': readContent,
    'documents.edit': edit,
  }) satisfies Partial<Handlers>

const list =
  (pager: Pager): Handler<typeof listDocuments> =>
  async (query, call) => {
    const page = await listPage(documents, pager, withPageBound(query), call)
    return page as Output<typeof listDocuments>
  }

type ContentRequest = Omit<Input<typeof readDocumentContent>, 'id'>
type ContentPart = Omit<Output<typeof readDocumentContent>, 'id' | 'object' | 'version' | 'title'>
type Range = { readonly from: number; readonly to: number }

const readContent: Handler<typeof readDocumentContent> = async ({ id, ...asked }, call) => {
  const { version, title, content } = await find(call.db, documents, call.workspaceId, id)
  return { id, object: 'document_content', version, title, ...partOf(content, asked) }
}

/** A part of the content, with the outline for choosing the next. Throws `invalid_parameter` for an unknown part. */
export function partOf(content: string, asked: ContentRequest): ContentPart {
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

function sectionIn(sections: readonly Section[], { section, fromLine, toLine }: ContentRequest): Section | null {
  if (section === undefined) return null
  if (fromLine !== undefined || toLine !== undefined) {
    refuseParameter('section', 'unknown', 'Is not taken together with lines: `outline` says which lines it has.')
  }
  const found = findSection(sections, section)
  return 'section' in found
    ? found.section
    : refuseParameter('section', found.isMany ? 'not_unique' : 'not_found', found.detail)
}

function rangeOf({ count }: Lines, { fromLine: from = 1, toLine: to = count }: ContentRequest): Range {
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

type EditRequest = Pick<Input<typeof editDocument>, 'section' | 'edits'>

const edit: Handler<typeof editDocument> = async ({ id, expectedVersion, ...asked }, call) => {
  const before = await find(call.db, documents, call.workspaceId, id)
  // Before the edits: of another version they may well not fit.
  assertVersion(before, expectedVersion, call)
  const { text, replacements } = edited(before.content, asked)
  const after = await updateObject(documents, before, { content: text }, call)
  // `brief` leaves out the content alone: the rest are the fields of the answer.
  return { ...documents.brief(after), replacements } as Output<typeof editDocument>
}

/** The whole content after the edits. Throws `validation_failed` where one of them does not fit. */
export function edited(content: string, { section, edits }: EditRequest): Edited {
  const { start, end, firstLine } = section === undefined ? whole(content) : partCalled(section, content)
  const { text, replacements } = applyEdits(content.slice(start, end), edits, firstLine)
  // What meets where a text ends and its replacement begins may have a shorter spelling.
  return { text: toNfc(content.slice(0, start) + text + content.slice(end)), replacements }
}

const whole = ({ length }: string) => ({ start: 0, end: length, firstLine: 1 })

function partCalled(section: string, content: string) {
  const lines = linesOf(content)
  const found = findSection(sectionsOf(lines), section)
  if ('detail' in found) return refuseField('section', found.isMany ? 'not_unique' : 'not_found', found.detail)
  const { fromLine, toLine } = found.section
  return { start: lines.startOf(fromLine), end: lines.startOf(toLine + 1), firstLine: fromLine }
}
