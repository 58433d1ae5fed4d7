// The rules of documents. Pure: the functions throw a Fault.
import { createHash } from 'node:crypto'
import { contentBytesMax, contentPageItemsMax, type Document, type DocumentStatus } from '#contract/documents.ts'
import type { Fields } from '../collection/definition.ts'
import { assertExternalIdPair, assertTransition } from '../collection/rules.ts'
import { invalidParameter, refuseField } from '../faults/shared-faults.ts'
import { baseFields, type ChangeContext } from '../execution/system-fields.ts'

type Given = Partial<Document>

export function draft(given: Fields, origin: ChangeContext): Document {
  const input = given as Given & Pick<Document, 'title'>
  const { content = '' } = input
  return consistent({
    ...baseFields('document', origin),
    summary: null,
    folder: null,
    tags: [],
    status: 'draft',
    crmEntityId: null,
    projectId: null,
    fileIds: [],
    externalSource: null,
    externalId: null,
    externalIds: [],
    ...input,
    ...measured(content),
  })
}

export function applyPatch(before: Document, patch: Fields): Document {
  const next = { ...before, ...(patch as Given) }
  assertTransition('document', before.status, next.status, allowedTransitions(before.status))
  return consistent(next.content === before.content ? next : { ...next, ...measured(next.content) })
}

const moves: Readonly<Record<DocumentStatus, readonly DocumentStatus[]>> = {
  draft: ['published'],
  published: ['draft', 'archived'],
  archived: ['draft'],
}
export const allowedTransitions = (from: DocumentStatus): readonly DocumentStatus[] => moves[from]

type Measured = Pick<Document, 'content' | 'wordCount' | 'checksum'>

function measured(content: string): Measured {
  if (Buffer.byteLength(content) > contentBytesMax) {
    refuseField('content', 'too_long', `Must have at most ${contentBytesMax} bytes in UTF-8.`)
  }
  return { content, wordCount: wordCount(content), checksum: createHash('sha256').update(content).digest('hex') }
}

const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

export function wordCount(text: string): number {
  let count = 0
  for (const _word of text.matchAll(words)) count += 1
  return count
}

function consistent(document: Document): Document {
  assertExternalIdPair(document)
  if (document.projectId !== null && document.crmEntityId !== null) {
    refuseField('crmEntityId', 'not_in_list', 'A document belongs to a project or to a CRM entity, not to both.')
  }
  return document
}

type Listed = { readonly fields?: readonly string[]; readonly limit?: number }

/** Returns the query with the smaller page that `content` needs. Throws `invalid_parameter` when it asks for more. */
export function withPageBound<L extends Listed>(query: L): L {
  const { fields = [], limit = contentPageItemsMax } = query
  if (!fields.includes('content')) return query
  if (limit <= contentPageItemsMax) return { ...query, limit }
  const detail = `With \`content\` a page shows at most ${contentPageItemsMax}.`
  throw invalidParameter('limit', 'too_large', detail)
}

export const erased = (document: Document): Document => ({
  ...document,
  title: '',
  summary: null,
  folder: null,
  tags: [],
  fileIds: [],
  externalSource: null,
  externalId: null,
  externalIds: [],
  ...measured(''),
})
