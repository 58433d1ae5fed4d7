// A project, a task or a CRM entity as a page of Markdown for models, as far as the key may read it: its fields, with
// the URIs of what it names; its description; what belongs to it; its newest comments. Text that people wrote is
// quoted, so that it cannot pass for a part of the page.
import { operationNamed } from '#contract/api.ts'
import type { Comment, CommentedSegment } from '#contract/comments.ts'
import { covers, type CollectionSegment, type Scope } from '#contract/scopes.ts'
import { openTaskStatuses } from '#contract/tasks.ts'
import type { CollectionTools } from '#contract/tools/collection-tools.ts'
import { crmEntityCollection } from '#contract/tools/crm-entities.ts'
import { projectCollection } from '#contract/tools/projects.ts'
import { taskCollection } from '#contract/tools/tasks.ts'
import { callOperation, type Exchange } from '../tools/runner.ts'
import { fileUri } from './files.ts'
import { listObjects, mayRead, operationOf, kinds, shortly, titleIn, uriOf, type ObjectFields } from './objects.ts'

type RelatedCollection = {
  readonly title: string
  readonly segment: CollectionSegment
  readonly filter: (object: ObjectFields) => object
}

type PageView = { readonly collection: CollectionTools; readonly related: readonly RelatedCollection[] }

const views: Readonly<Record<CommentedSegment, PageView>> = {
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
async function readObject(segment: CommentedSegment, id: string, exchange: Exchange): Promise<PageContent> {
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
  const object = body as ObjectFields
  const lists: RelatedList[] = []
  for (const each of related) {
    if (mayRead(each.segment, scopes)) lists.push(await listOf(each, object, exchange))
  }
  return { segment, object, related: lists, comments: await newestComments(segment, object.id, exchange) }
}

export const pageOf = async (segment: CommentedSegment, id: string, exchange: Exchange): Promise<string> =>
  objectPage(await readObject(segment, id, exchange))

async function listOf(
  { title, segment, filter }: RelatedCollection,
  object: ObjectFields,
  exchange: Exchange,
): Promise<RelatedList> {
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

type RelatedList = {
  readonly title: string
  readonly segment: CollectionSegment
  readonly data: readonly ObjectFields[]
  readonly hasMore: boolean
}
export type PageContent = {
  readonly segment: CollectionSegment
  /** With the objects that it names, where the key may read them. */
  readonly object: ObjectFields
  readonly related: readonly RelatedList[]
  /** Newest first. Null: there can be none. */
  readonly comments: { readonly data: readonly Comment[]; readonly hasMore: boolean } | null
}

const descriptionLengthMax = 8_000
const commentLengthMax = 1_000

export function objectPage({ segment, object, related, comments }: PageContent): string {
  const { description } = object
  const parts = [
    `# ${kinds[segment].titleOf(object)}`,
    [`- uri: ${uriOf(segment, object)}`, ...fieldLines(object)].join('\n'),
    ...(typeof description === 'string' ? ['## Description', quoted(description, descriptionLengthMax)] : []),
    ...related.filter(({ data }) => data.length > 0).map(relatedPart),
    ...(comments === null || comments.data.length === 0 ? [] : [commentsPart(comments)]),
  ]
  return `${parts.join('\n\n')}\n`
}

const relatedPart = ({ title, segment, data, hasMore }: RelatedList): string =>
  [
    `## ${title}${hasMore ? ` (the ${data.length} changed last; there are more)` : ''}`,
    ...data.map((each) => `- ${listed(segment, each)}`),
  ].join('\n')

/** One object in a line. */
export const listed = (segment: CollectionSegment, object: ObjectFields): string =>
  `${uriOf(segment, object)} ${JSON.stringify(titleIn(object))} (${shortly(segment, object)})`

const commentsPart = ({ data, hasMore }: NonNullable<PageContent['comments']>): string =>
  [
    `## Newest comments${hasMore ? ' (there are more)' : ''}`,
    ...data.map(
      ({ createdAt, createdBy, body }) =>
        `${createdAt}, ${JSON.stringify(createdBy.name)}:\n${quoted(body, commentLengthMax)}`,
    ),
  ].join('\n\n')

/** Each line behind a mark, so that its end is where the text ends; cut where it is too long. */
export function quoted(text: string, lengthMax: number): string {
  const shown = text.slice(0, lengthMax).toWellFormed()
  const lines = shown.split(/\r\n|\n|\r/).map((line) => `> ${line}`.trimEnd())
  const left = text.length - shown.length
  return lines.join('\n') + (left > 0 ? `\n\n(${left} more characters)` : '')
}

// Said elsewhere on the page, or of no use to a reader.
const left = new Set([
  'identifier',
  'key',
  'title',
  'name',
  'object',
  'workspaceId',
  'deletedAt',
  'description',
  'number',
  'position',
  'content',
  'checksum',
  'createdBy',
  'updatedBy',
])

/** A line for each field that has a value. What is shown as an object is not shown as an id too. */
function fieldLines(object: ObjectFields): string[] {
  const ids = new Set(
    Object.values(object)
      .flatMap(referencesIn)
      .map(({ id }) => id),
  )
  const isShown = (value: unknown): boolean =>
    typeof value === 'string'
      ? ids.has(value)
      : Array.isArray(value) && value.length > 0 && value.every((each) => ids.has(String(each)))
  return Object.entries(object)
    .filter(([name, value]) => !left.has(name) && !isEmpty(value) && !(/Ids?$/.test(name) && isShown(value)))
    .map(([name, value]) => (name === 'fileIds' ? filesLine(value) : `- ${name}: ${valueText(value)}`))
}

const filesLine = (ids: unknown): string => `- files: ${(ids as readonly string[]).map(fileUri).join(', ')}`

type Reference = ObjectFields & { readonly object: keyof typeof referenceText }

const referencesIn = (value: unknown): Reference[] => (Array.isArray(value) ? value : [value]).filter(isReference)

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'object' in value &&
  String(value.object) in referenceText

const referenceText = {
  member: ({ id, name, email }: ObjectFields) => `${JSON.stringify(name)} <${String(email)}> (member ${id})`,
  project: (project: ObjectFields) => listed('projects', project),
  task: (task: ObjectFields) => listed('tasks', task),
  crm_entity: (entity: ObjectFields) => listed('crm-entities', entity),
} as const

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

function valueText(value: unknown): string {
  if (isReference(value)) return referenceText[value.object](value)
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .filter(([, each]) => !isEmpty(each))
      .map(([name, each]) => `${name} ${valueText(each)}`)
      .join('; ')
  // On one line: a line break would begin a line of the page.
  return String(value).replaceAll(/\s+/g, ' ')
}
