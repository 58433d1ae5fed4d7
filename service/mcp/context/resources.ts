// Resources: the texts that the workspace has about itself, then its objects kind by kind, newest change first, then
// its files. A cursor holds the kind and the cursor of that kind's own list, which is signed. A resource is read as
// Markdown: of a document all, a section, or lines, as much as fits, and then where to go on. A file is read as its
// bytes.
import type {
  ListResourceTemplatesResult,
  ListResourcesResult,
  Resource,
  ReadResourceResult,
} from '@modelcontextprotocol/server'
import { readDocumentContent } from '#contract/documents.ts'
import { asFault, Fault } from '#contract/faults/fault.ts'
import type { Output } from '#contract/operation.ts'
import { listResources as listTexts, readResource as readText } from '#contract/resources.ts'
import { covers, type CollectionSegment } from '#contract/scopes.ts'
import { invalidCursor } from '../../collection/pagination.ts'
import { callOperation, type Exchange } from '../tools/runner.ts'
import { describedFile, fileContents, fileIdIn, fileTemplate, listedFiles, mayReadFiles } from './files.ts'
import { pageOf } from './object-page.ts'
import {
  listObjects,
  kinds,
  readableSegments,
  shortly,
  nameInUri,
  uriOf,
  parseObjectUri,
  type ObjectFields,
  type ObjectUri,
} from './objects.ts'

const pageMax = 100

/** `after`: where its list goes on; null from its beginning. */
type ListPosition = { readonly segment: ListedSegment; readonly after: string | null }
type ListedSegment = CollectionSegment | 'files'

const listedSegments = (exchange: Exchange): ListedSegment[] => [
  ...readableSegments(exchange),
  ...(mayReadFiles(exchange) ? (['files'] as const) : []),
]

export async function listResources(cursor: string | undefined, exchange: Exchange): Promise<ListResourcesResult> {
  const segments = listedSegments(exchange)
  const [first] = segments
  const resources = cursor === undefined ? await texts(exchange) : []
  let position = cursor === undefined ? startOf(first) : positionIn(cursor, segments)
  while (position !== null && resources.length < pageMax) {
    const { segment, after } = position
    const asked = { limit: pageMax - resources.length, ...(after !== null && { cursor: after }) }
    const { found, nextCursor } = await listedIn(segment, asked, exchange)
    resources.push(...found)
    position = nextCursor === null ? startOf(segments[segments.indexOf(segment) + 1]) : { segment, after: nextCursor }
  }
  return { resources, ...(position !== null && { nextCursor: asCursor(position) }) }
}

type Asked = { readonly limit: number; readonly cursor?: string }

async function listedIn(segment: ListedSegment, asked: Asked, exchange: Exchange) {
  if (segment === 'files') {
    const { files, nextCursor } = await listedFiles(asked, exchange)
    return { found: files.map(describedFile), nextCursor }
  }
  const { data, page } = await listObjects(segment, asked, exchange)
  return { found: data.map((object) => described(segment, object)), nextCursor: page.nextCursor }
}

const startOf = (segment: ListedSegment | undefined): ListPosition | null =>
  segment === undefined ? null : { segment, after: null }

async function texts(exchange: Exchange): Promise<Resource[]> {
  if (!covers(exchange.caller.principal.scopes, 'resources:read')) return []
  const { body } = await callOperation(listTexts, {}, exchange)
  return body.data.map(({ uri, name, title, description, mimeType, size }) => ({
    uri,
    name,
    title,
    description,
    mimeType,
    size,
  }))
}

const described = (segment: CollectionSegment, object: ObjectFields): Resource => ({
  uri: uriOf(segment, object),
  name: nameInUri(object),
  title: kinds[segment].titleOf(object),
  description: shortly(segment, object),
  mimeType: 'text/markdown',
  annotations: { lastModified: String(object['updatedAt']) },
})

const asCursor = ({ segment, after }: ListPosition): string =>
  Buffer.from(JSON.stringify([segment, after])).toString('base64url')

/** Throws `invalid_cursor`; what is after the kind is judged by the list that it is for. */
function positionIn(cursor: string, segments: readonly ListedSegment[]): ListPosition {
  const [named, after, ...rest] = parsed(cursor)
  const segment = segments.find((each) => each === named)
  if (segment === undefined || rest.length > 0 || (after !== null && typeof after !== 'string')) throw invalidCursor()
  return { segment, after }
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** One template for each kind that the key may read. */
export const listResourceTemplates = (exchange: Exchange): ListResourceTemplatesResult => ({
  resourceTemplates: [
    ...readableSegments(exchange).map((segment) => ({
      uriTemplate: templateOf(segment),
      name: kinds[segment].singular.replace(' ', '-').toLowerCase(),
      title: kinds[segment].singular.replace(/^./, (letter) => letter.toUpperCase()),
      description: descriptions[segment],
      mimeType: 'text/markdown',
    })),
    ...(mayReadFiles(exchange) ? [ofFiles] : []),
  ],
})

const ofFiles = {
  uriTemplate: fileTemplate,
  name: 'file',
  title: 'File',
  description: 'The bytes of a file by its id, as text or as a blob.',
}

export const templateOf = (segment: CollectionSegment): string =>
  `workspace://${segment}/{id}${segment === 'documents' ? '{?section,lines}' : ''}`

const descriptions: Readonly<Record<CollectionSegment, string>> = {
  projects: 'A project by its key (WEB) or id: its fields, open tasks, documents and newest comments.',
  tasks: 'A task by its identifier (WEB-42) or id: its fields, sub-tasks and newest comments.',
  'crm-entities': 'A company, contact or deal by its id: its fields, what belongs to it, and newest comments.',
  documents: 'A document by its id, as Markdown. `section`: number or text of a heading; `lines`: such as 10-80.',
}

/** Throws `not_found` for what is not there, whatever the URI looks like, and `insufficient_scope`. */
export async function readResource(uri: string, exchange: Exchange): Promise<ReadResourceResult> {
  const object = parseObjectUri(uri)
  if (object !== null) return { contents: [{ uri, mimeType: 'text/markdown', text: await textOf(object, exchange) }] }
  const fileId = fileIdIn(uri)
  if (fileId !== null) return await orMissing('file', () => fileContents(uri, fileId, exchange))
  if (!/^workspace:\/\/[a-z_-]{1,80}$/.test(uri)) throw new Fault('not_found', 'No resource has this URI.')
  const { body } = await callOperation(readText, { uri }, exchange)
  return { contents: [{ uri, mimeType: body.mimeType, text: body.text }] }
}

async function textOf(object: ObjectUri, exchange: Exchange): Promise<string> {
  const { segment, id } = object
  return await orMissing(kinds[segment].singular, () =>
    segment === 'documents' ? documentPage(object, exchange) : pageOf(segment, id, exchange),
  )
}

async function orMissing<T>(singular: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (thrown) {
    const fault = asFault(thrown)
    if (fault.code !== 'invalid_parameter' || !fault.members.errors?.some(({ parameter }) => parameter === 'id'))
      throw thrown
    // In a URI, an id that cannot be is one that is not there.
    throw new Fault('not_found', `No ${singular} has this ID.`)
  }
}

type DocumentPart = Output<typeof readDocumentContent>

/** About 6,000 tokens of English. */
const bytesMax = 24_000
/** Of one line, which is longer than all that is shown. */
const charactersMax = bytesMax
const headingsNamed = 40

export async function documentPage({ id, section, lines }: ObjectUri, exchange: Exchange): Promise<string> {
  const range = lines === undefined ? {} : { fromLine: lines.from, ...(lines.to !== undefined && { toLine: lines.to }) }
  const asked = { id, maxBytes: bytesMax, ...range, ...(section !== undefined && { section }) }
  const { body } = await callOperation(readDocumentContent, asked, exchange)
  const text = body.text.slice(0, charactersMax).toWellFormed()
  const isCut = text.length < body.text.length
  if (body.nextLine === null && !isCut) return text
  const end = section === undefined ? lines?.to : body.outline[0]?.toLine
  return `${text.trimEnd()}\n\n${howToGoOn(body, isCut, end)}\n`
}

/** `end`: the last line of what was asked for, where that is not the last of the document. */
function howToGoOn(part: DocumentPart, isCut: boolean, end: number | undefined): string {
  const { fromLine, toLine, nextLine, totalLines } = part
  const uri = uriOf('documents', part)
  const headings = part.outline.slice(0, headingsNamed).map(headingText)
  return [
    '---',
    `(Lines ${fromLine} to ${toLine} of ${totalLines}.${isCut ? ` Line ${toLine} is longer than what can be shown.` : ''}`,
    ...(nextLine === null ? [] : [`Read on: ${uri}?lines=${nextLine}-${end ?? ''}`]),
    `A section: ${uri}?section=<number>`,
    ...headings,
    `${part.headingCount} headings in all.)`,
  ].join('\n')
}

const headingText = ({ section, title, fromLine, toLine }: DocumentPart['outline'][number]): string =>
  `- ${section} ${JSON.stringify(title)} lines ${fromLine}-${toLine}`
