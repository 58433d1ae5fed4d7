// Reads a project, a task or a CRM entity with what belongs to it, as far as the key may read it.
import { operationNamed } from '#contract/api.ts'
import type { Comment, CommentedSegment } from '#contract/comment-schema.ts'
import { covers, type CollectionSegment, type Scope } from '#contract/scopes.ts'
import { callOperation } from '../mcp-tools/call-operation.ts'
import type { Exchange } from '../mcp-tools/exchange.ts'
import { listObjects } from './find-objects.ts'
import { mayRead, operationOf, type Fields } from './kinds.ts'
import { objectPage, type PageParts, type RelatedList } from './object-page.ts'

/** What `expand` adds, by the scope that it needs. */
type Expansions = Readonly<Record<string, Scope>>
type Related = {
  readonly title: string
  readonly segment: CollectionSegment
  readonly filter: (object: Fields) => object
}

const open = ['backlog', 'todo', 'in_progress', 'blocked']

const views: Readonly<
  Record<CommentedSegment, { readonly expansions: Expansions; readonly related: readonly Related[] }>
> = {
  projects: {
    expansions: {
      owner: 'members:read',
      members: 'members:read',
      company: 'crm-entities:read',
      taskCounts: 'tasks:read',
    },
    related: [
      { title: 'Open tasks', segment: 'tasks', filter: ({ id }) => ({ projectId: [id], status: open }) },
      { title: 'Documents', segment: 'documents', filter: ({ id }) => ({ projectId: [id] }) },
    ],
  },
  tasks: {
    expansions: {
      project: 'projects:read',
      assignees: 'members:read',
      parentTask: 'tasks:read',
      blockedBy: 'tasks:read',
      crmEntities: 'crm-entities:read',
    },
    related: [{ title: 'Sub-tasks', segment: 'tasks', filter: ({ id }) => ({ parentTaskId: [id] }) }],
  },
  'crm-entities': {
    expansions: {
      owner: 'members:read',
      company: 'crm-entities:read',
      parentCompany: 'crm-entities:read',
      contacts: 'crm-entities:read',
    },
    related: [
      { title: 'Contacts and deals', segment: 'crm-entities', filter: ({ id }) => ({ companyId: [id] }) },
      { title: 'Projects', segment: 'projects', filter: ({ id }) => ({ companyId: [id] }) },
      { title: 'Open tasks', segment: 'tasks', filter: ({ id }) => ({ crmEntityId: [id], status: open }) },
      { title: 'Documents', segment: 'documents', filter: ({ id }) => ({ crmEntityId: [id] }) },
    ],
  },
}

const relatedMax = 20
const commentsMax = 5

/** `id`: an id, or what else names the object. Throws `not_found` and `insufficient_scope`. */
async function readObject(segment: CommentedSegment, id: string, exchange: Exchange): Promise<PageParts> {
  const { scopes } = exchange.caller.principal
  const { expansions, related } = views[segment]
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
