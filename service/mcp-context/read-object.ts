// Reads a project, a task or a CRM entity with what belongs to it, as far as the key may read it.
import { operationNamed } from '#contract/api.ts'
import type { Comment, CommentedSegment } from '#contract/comments.ts'
import { covers, type CollectionSegment, type Scope } from '#contract/scopes.ts'
import { openTaskStatuses } from '#contract/tasks.ts'
import type { CollectionTools } from '#contract/tools/collection-tools.ts'
import { crmEntityCollection } from '#contract/tools/crm-entities.ts'
import { projectCollection } from '#contract/tools/projects.ts'
import { taskCollection } from '#contract/tools/tasks.ts'
import { callOperation } from '../mcp-tools/call-operation.ts'
import type { Exchange } from '../mcp-tools/exchange.ts'
import { listObjects } from './find-objects.ts'
import { mayRead, operationOf, type Fields } from './kinds.ts'
import { objectPage, type PageParts, type RelatedList } from './object-page.ts'

type Related = {
  readonly title: string
  readonly segment: CollectionSegment
  readonly filter: (object: Fields) => object
}

type View = { readonly collection: CollectionTools; readonly related: readonly Related[] }

const views: Readonly<Record<CommentedSegment, View>> = {
  projects: {
    collection: projectCollection,
    related: [
      { title: 'Open tasks', segment: 'tasks', filter: ({ id }) => ({ projectId: [id], status: openTaskStatuses }) },
      { title: 'Documents', segment: 'documents', filter: ({ id }) => ({ projectId: [id] }) },
    ],
  },
  tasks: {
    collection: taskCollection,
    related: [{ title: 'Sub-tasks', segment: 'tasks', filter: ({ id }) => ({ parentTaskId: [id] }) }],
  },
  'crm-entities': {
    collection: crmEntityCollection,
    related: [
      { title: 'Contacts and deals', segment: 'crm-entities', filter: ({ id }) => ({ companyId: [id] }) },
      { title: 'Projects', segment: 'projects', filter: ({ id }) => ({ companyId: [id] }) },
      { title: 'Open tasks', segment: 'tasks', filter: ({ id }) => ({ crmEntityId: [id], status: openTaskStatuses }) },
      { title: 'Documents', segment: 'documents', filter: ({ id }) => ({ crmEntityId: [id] }) },
    ],
  },
}

const relatedMax = 20
const commentsMax = 5

/** `id`: an id, or what else names the object. Throws `not_found` and `insufficient_scope`. */
async function readObject(segment: CommentedSegment, id: string, exchange: Exchange): Promise<PageParts> {
  const { scopes } = exchange.caller.principal
  const { collection, related } = views[segment]
  const { expansions } = collection
  const expand = Object.keys(expansions).filter((name) => covers(scopes, expansions[name] as Scope))
  const { body } = await callOperation(
    operationOf(segment, 'get'),
    { id, ...(expand.length > 0 && { expand }) },
    exchange,
  )
  // What the get of a collection answers: the object, with its id.
  const object = body as Fields
  const lists: RelatedList[] = []
  for (const each of related) {
    if (mayRead(each.segment, scopes)) lists.push(await listOf(each, object, exchange))
  }
  return { segment, object, related: lists, comments: await newestComments(segment, object.id, exchange) }
}

export const pageOf = async (segment: CommentedSegment, id: string, exchange: Exchange): Promise<string> =>
  objectPage(await readObject(segment, id, exchange))

async function listOf({ title, segment, filter }: Related, object: Fields, exchange: Exchange): Promise<RelatedList> {
  const { data, page } = await listObjects(segment, { ...filter(object), limit: relatedMax }, exchange)
  return { title, segment, data, hasMore: page.nextCursor !== null }
}

async function newestComments(segment: CommentedSegment, id: string, exchange: Exchange) {
  const asked = { id, sort: '-createdAt', limit: commentsMax }
  const { body } = await callOperation(operationNamed(`${segment}.list-comments`), asked, exchange)
  // The output of the operation: a page of comments.
  const { data, page } = body as { readonly data: readonly Comment[]; readonly page: { readonly hasMore: boolean } }
  return { data, hasMore: page.hasMore }
}
