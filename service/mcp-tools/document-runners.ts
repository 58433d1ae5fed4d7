// Documents: their Markdown is read in parts and edited in places, and no answer has it twice.
import {
  editDocument,
  readDocumentContent,
  getDocument,
  listDocuments,
  updateDocument,
  type Document,
} from '#contract/documents.ts'
import type { Output } from '#contract/operation.ts'
import { maxTokensDefault, type Arguments } from '#contract/tools/tool.ts'
import { refusedFields } from '../validation/unknown-field.ts'
import { answerOptions, assertFields } from './answer-arguments.ts'
import { callOperation } from './call-operation.ts'
import { change, changeRunner } from './change-runner.ts'
import { conciseFields, picked, type Fields } from './concise-fields.ts'
import { documentAnswer, type Part } from './document-rendering.ts'
import type { Exchange } from './exchange.ts'
import { fieldsAsked, objectAnswer } from './get-runner.ts'
import { isWithin } from './page-within-budget.ts'
import type { Runner, ToolAnswer } from './runner.ts'
import { estimateTokens } from './token-estimate.ts'

/** Where only fields are asked for, and no content among them, none is read. */
export const runGetDocument: Runner = async (args, exchange) => {
  const { options, rest } = answerOptions(args)
  const { section, fromLine, toLine, ...input } = rest
  const { fields, maxTokens } = options
  if (fields !== null) assertFields(listDocuments, fields)
  const { body } = await callOperation(getDocument, input, exchange)
  // A document is an object; its content is shown by itself.
  const { content, ...document } = body as Whole
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

type Whole = Fields & Pick<Document, 'id' | 'content' | 'version' | 'deletedAt'>
type Content = Output<typeof readDocumentContent>

async function readPart(id: unknown, range: Arguments, exchange: Exchange): Promise<Part> {
  const asked = Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined))
  const { body } = await callOperation(readDocumentContent, { id, ...asked }, exchange)
  return body
}

/** Of a deleted document, whose content is read as a whole. */
const wholePart = (content: string, version: number): Part => ({
  ...{ text: content, version, fromLine: 1, toLine: content.split('\n').length, nextLine: null },
  ...{ totalLines: content.split('\n').length, outline: [] as Content['outline'], headingCount: 0 },
})

const readsMax = 4
/** Characters of common text in a token: the first try. */
const bytesPerToken = 4
const bytesMin = 100
const bytesMax = 1024 * 1024

async function withinBudget(
  about: Fields,
  tokensMax: number,
  read: (maxBytes: number) => Promise<Part>,
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
