// An object as a page of Markdown for models: its fields, with the URIs of what it names; its description; what belongs to
// it; its newest comments. What people wrote is quoted, so that it cannot pass for a part of the page. Pure.
import type { Comment } from '#contract/comments.ts'
import type { CollectionSegment } from '#contract/scopes.ts'
import { kinds, shortly, titleIn, type Fields } from './kinds.ts'
import { uriOf } from './uri.ts'

export type RelatedList = {
  readonly title: string
  readonly segment: CollectionSegment
  readonly data: readonly Fields[]
  readonly hasMore: boolean
}
export type PageParts = {
  readonly segment: CollectionSegment
  /** With the objects that it names, where the key may read them. */
  readonly object: Fields
  readonly related: readonly RelatedList[]
  /** Newest first. Null: there can be none. */
  readonly comments: { readonly data: readonly Comment[]; readonly hasMore: boolean } | null
}

const descriptionLengthMax = 8_000
const commentLengthMax = 1_000

export function objectPage({ segment, object, related, comments }: PageParts): string {
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
export const listed = (segment: CollectionSegment, object: Fields): string =>
  `${uriOf(segment, object)} ${JSON.stringify(titleIn(object))} (${shortly(segment, object)})`

const commentsPart = ({ data, hasMore }: NonNullable<PageParts['comments']>): string =>
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
  ...['identifier', 'key', 'title', 'name'],
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
function fieldLines(object: Fields): string[] {
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
    .map(([name, value]) => `- ${name}: ${valueText(value)}`)
}

type Reference = Fields & { readonly object: keyof typeof referenceText }

const referencesIn = (value: unknown): Reference[] => (Array.isArray(value) ? value : [value]).filter(isReference)

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'object' in value &&
  String(value.object) in referenceText

const referenceText = {
  member: ({ id, name, email }: Fields) => `${JSON.stringify(name)} <${String(email)}> (member ${id})`,
  project: (project: Fields) => listed('projects', project),
  task: (task: Fields) => listed('tasks', task),
  crm_entity: (entity: Fields) => listed('crm-entities', entity),
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
