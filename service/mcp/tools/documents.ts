// Documents: their Markdown is read in parts and edited in places, and no answer has it twice. An answer has a few
// lines about the document, the outline where it is not shown whole, and its Markdown in the text alone.
import {
  getDocument,
  listDocuments,
  updateDocument,
  editDocument,
  readDocumentContent,
  type Document,
} from '#contract/documents.ts'
import type { Output } from '#contract/operation.ts'
import { maxTokensDefault, type Arguments } from '#contract/tools/tool.ts'
import { refusedFields } from '../../validation/unknown-field.ts'
import { answerOptions, assertFields } from './arguments.ts'
import { isWithin, estimateTokens, cutToFit, cutMembers, cutNote } from './budget.ts'
import { change, changeRunner, fieldsAsked, objectAnswer } from './collections.ts'
import { conciseFields, picked, lines, type Fields } from './rendering.ts'
import { callOperation, type Exchange, type Runner, type ToolAnswer } from './runner.ts'

/** Reads no content where only other fields are asked for. */
export const runGetDocument: Runner = async (args, exchange) => {
  const { options, rest } = answerOptions(args)
  const { section, fromLine, toLine, ...input } = rest
  const { fields, maxTokens } = options
  if (fields !== null) assertFields(listDocuments, fields)
  const { body } = await callOperation(getDocument, input, exchange)
  // A document is an object; its content is shown by itself.
  const { content, ...document } = body as WholeDocument
  const about = fieldsAsked(document, options)
  const range = { section, fromLine, toLine }
  const isPart = Object.values(range).some((value) => value !== undefined)
  if (fields !== null && !fields.includes('content') && !isPart) return objectAnswer(about, maxTokens)
  const isDeleted = document.deletedAt !== null
  const read = (maxBytes: number) =>
    isDeleted
      ? Promise.resolve(wholePart(content, document.version))
      : readPart(document.id, { ...range, maxBytes }, exchange)
  return withinBudget(about, maxTokens, read)
}

type WholeDocument = Fields & Pick<Document, 'id' | 'content' | 'version' | 'deletedAt'>
type Content = Output<typeof readDocumentContent>

async function readPart(id: unknown, range: Arguments, exchange: Exchange): Promise<DocumentPart> {
  const asked = Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined))
  const { body } = await callOperation(readDocumentContent, { id, ...asked }, exchange)
  return body
}

/** Of a deleted document, whose content is read as a whole. */
const wholePart = (content: string, version: number): DocumentPart => ({
  text: content,
  version,
  fromLine: 1,
  toLine: content.split('\n').length,
  nextLine: null,
  totalLines: content.split('\n').length,
  outline: [] as Content['outline'],
  headingCount: 0,
})

const readsMax = 4
/** Characters of common text in a token: the first try. */
const bytesPerToken = 4
const bytesMin = 100
const bytesMax = 1024 * 1024

async function withinBudget(
  about: Fields,
  tokensMax: number,
  read: (maxBytes: number) => Promise<DocumentPart>,
): Promise<ToolAnswer> {
  let bytes = Math.min(bytesMax, tokensMax * bytesPerToken)
  let part = await read(bytes)
  let answer = documentAnswer(about, part, tokensMax)
  for (let reads = 1; !isWithin(answer, tokensMax) && part.toLine > part.fromLine && reads < readsMax; reads += 1) {
    bytes = Math.max(bytesMin, Math.floor((bytes * tokensMax * 0.9) / estimateTokens(answer.text)))
    part = await read(bytes)
    answer = documentAnswer(about, part, tokensMax)
  }
  return isWithin(answer, tokensMax) ? answer : documentAnswer(about, part, tokensMax, { isCut: true })
}

const updateFields = changeRunner({ segment: 'documents', operation: updateDocument, done: 'Changed.' })

/** `edits` are another operation than the change of fields, and are not made together with one. */
export const runUpdateDocument: Runner = async (args, exchange) => {
  const { edits, section } = args
  if (edits === undefined && section === undefined) return updateFields(args, exchange)
  assertOnlyEdits(args)
  const { body, note, marks } = await change(editDocument, args, exchange, 'Edited.')
  const { structured, text } = objectAnswer(
    picked(body, [...conciseFields.documents, 'replacements']),
    maxTokensDefault,
  )
  return { structured: { ...marks, ...structured }, text: `${note}\n${text}` }
}

const besideEdits = new Set(['id', 'edits', 'section', 'expectedVersion', 'dryRun', 'idempotencyKey'])

function assertOnlyEdits(args: Arguments): void {
  const others = Object.keys(args).filter((name) => !besideEdits.has(name))
  const detail = 'Is not taken together with `edits`: change it in a call of its own.'
  if (others.length > 0) throw refusedFields(others.map((name) => ({ pointer: `/${name}`, code: 'unknown', detail })))
}

type DocumentContent = Output<typeof readDocumentContent>
type DocumentPart = Pick<
  DocumentContent,
  'text' | 'version' | 'fromLine' | 'toLine' | 'nextLine' | 'totalLines' | 'outline' | 'headingCount'
>
type Heading = DocumentContent['outline'][number]

/** `isCut`: even one line is too long, so that it is cut within. */
function documentAnswer(
  about: Fields,
  part: DocumentPart,
  tokensMax: number,
  { isCut = false }: { readonly isCut?: boolean } = {},
): ToolAnswer {
  const { fromLine, toLine, nextLine, totalLines, version } = part
  const isWhole = fromLine <= 1 && toLine === totalLines
  const outline = isWhole ? [] : outlineWithin(part.outline, tokensMax / 4)
  const { object, cut } = cutToFit({ ...about, version }, tokensMax / 4)
  const head = [
    lines(object),
    cutNote(cut),
    ...(isWhole && !isCut ? [] : [placeLine(part), outlineText(outline, part)]),
  ]
  const headText = head.filter((each) => each !== '').join('\n')
  const text = isCut ? startOf(part.text, tokensMax - estimateTokens(headText) - 60) : part.text
  const isTruncated = nextLine !== null || isCut
  return {
    structured: {
      ...object,
      ...cutMembers(cut),
      content: {
        fromLine,
        toLine,
        totalLines,
        ...(nextLine !== null && { nextLine }),
        ...(isCut && { shownCharacters: text.length, ofCharacters: part.text.length }),
      },
      ...(outline.length > 0 && { outline, headingCount: part.headingCount }),
      ...(isTruncated && { truncated: true }),
    },
    text: `${headText}\n---\n${text}${isCut ? '… [cut: the line goes on; ask with a larger `maxTokens`]' : ''}`,
  }
}

function placeLine({ fromLine, toLine, nextLine, totalLines }: DocumentPart): string {
  const more = nextLine === null ? '' : ` Go on with \`fromLine\`: ${nextLine}, or read one \`section\`.`
  return `Lines ${fromLine} to ${toLine} of ${totalLines}.${more}`
}

function outlineText(outline: readonly Heading[], { headingCount }: DocumentPart): string {
  if (outline.length === 0) return ''
  const missing = headingCount > outline.length ? ` (${outline.length} of ${headingCount} headings)` : ''
  const headings = outline.map(({ section, title, fromLine, toLine }) => `${section} ${title} (${fromLine}-${toLine})`)
  return [`Outline${missing}:`, ...headings].join('\n')
}

/** The first headings that fit. */
function outlineWithin(outline: readonly Heading[], tokensMax: number): readonly Heading[] {
  let left = tokensMax
  const beyond = outline.findIndex((heading) => (left -= estimateTokens(JSON.stringify(heading))) < 0)
  return beyond === -1 ? outline : outline.slice(0, beyond)
}

/** By halves: a character may be several tokens, or a part of one. */
function startOf(text: string, tokensMax: number): string {
  let length = Math.min(text.length, Math.max(0, tokensMax) * 8)
  while (length > 0 && estimateTokens(text.slice(0, length)) > tokensMax) length = Math.floor(length * 0.8)
  return text.slice(0, length).toWellFormed()
}
