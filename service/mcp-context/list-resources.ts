// The list of resources: the texts that the workspace has about itself, then its objects kind by kind, newest change
// first. A cursor holds the kind and the cursor of that kind's own list, which is signed.
import type { ListResourceTemplatesResult, ListResourcesResult, Resource } from '@modelcontextprotocol/server'
import { listResources as listTexts } from '#contract/resources.ts'
import { covers, type CollectionSegment } from '#contract/scopes.ts'
import { invalidCursor } from '../lists/cursor-pagination.ts'
import { callOperation } from '../mcp-tools/call-operation.ts'
import type { Exchange } from '../mcp-tools/exchange.ts'
import { listObjects } from './find-objects.ts'
import { kinds, readableSegments, shortly, type Fields } from './kinds.ts'
import { nameInUri, uriOf } from './uri.ts'

const pageMax = 100

/** `after`: where its list goes on; null from its beginning. */
type Position = { readonly segment: CollectionSegment; readonly after: string | null }

export async function listResources(cursor: string | undefined, exchange: Exchange): Promise<ListResourcesResult> {
  const segments = readableSegments(exchange)
  const [first] = segments
  const resources = cursor === undefined ? await texts(exchange) : []
  let position = cursor === undefined ? startOf(first) : positionIn(cursor, segments)
  while (position !== null && resources.length < pageMax) {
    const { segment, after } = position
    const asked = { limit: pageMax - resources.length, ...(after !== null && { cursor: after }) }
    const { data, page } = await listObjects(segment, asked, exchange)
    resources.push(...data.map((object) => described(segment, object)))
    position =
      page.nextCursor === null ? startOf(segments[segments.indexOf(segment) + 1]) : { segment, after: page.nextCursor }
  }
  return { resources, ...(position !== null && { nextCursor: asCursor(position) }) }
}

const startOf = (segment: CollectionSegment | undefined): Position | null =>
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

const described = (segment: CollectionSegment, object: Fields): Resource => ({
  uri: uriOf(segment, object),
  name: nameInUri(object),
  title: kinds[segment].titleOf(object),
  description: shortly(segment, object),
  mimeType: 'text/markdown',
  annotations: { lastModified: String(object['updatedAt']) },
})

const asCursor = ({ segment, after }: Position): string =>
  Buffer.from(JSON.stringify([segment, after])).toString('base64url')

/** Throws `invalid_cursor`; what is after the kind is judged by the list that it is for. */
function positionIn(cursor: string, segments: readonly CollectionSegment[]): Position {
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
  resourceTemplates: readableSegments(exchange).map((segment) => ({
    uriTemplate: templateOf(segment),
    name: kinds[segment].singular.replace(' ', '-').toLowerCase(),
    title: kinds[segment].singular.replace(/^./, (letter) => letter.toUpperCase()),
    description: descriptions[segment],
    mimeType: 'text/markdown',
  })),
})

export const templateOf = (segment: CollectionSegment): string =>
  `workspace://${segment}/{id}${segment === 'documents' ? '{?section,lines}' : ''}`

const descriptions: Readonly<Record<CollectionSegment, string>> = {
  projects: 'A project by its key (WEB) or id: its fields, open tasks, documents and newest comments.',
  tasks: 'A task by its identifier (WEB-42) or id: its fields, sub-tasks and newest comments.',
  'crm-entities': 'A company, contact or deal by its id: its fields, what belongs to it, and newest comments.',
  documents: 'A document by its id, as Markdown. `section`: number or text of a heading; `lines`: such as 10-80.',
}
