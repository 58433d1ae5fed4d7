// Lists the comments on an object, and writes one.
import type { Comment } from '#contract/comment-schema.ts'
import { operationNamed } from '#contract/api.ts'
import { maxTokensDefault } from '#contract/tools/shared-arguments.ts'
import { callOperation } from './call-operation.ts'
import type { Runner } from './runner.ts'

type Subject = { readonly type: string; readonly id: string }
type Listing = Subject & {
  readonly limit?: number
  readonly cursor?: string
  readonly detail?: 'concise' | 'full'
  readonly maxTokens?: number
}
type Page = {
  readonly data: readonly Comment[]
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean }
}
type Shown = {
  readonly id: string
  readonly at: string
  readonly by: string
  readonly body: string
  readonly cutOff?: number
}

const limitDefault = 20
const conciseLengthMax = 600
const charactersPerToken = 3
/** Of a comment: its id, time, author, in text and as JSON. */
const overheadLength = 150

export const runCommentsList: Runner = async (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const { type, detail = 'concise', maxTokens = maxTokensDefault, limit = limitDefault, ...rest } = args as Listing
  const operation = operationNamed(`${type}.list-comments`)
  const { body } = await callOperation(operation, { ...rest, limit, sort: '-createdAt' }, exchange)
  const { data, page } = body as Page
  const share = Math.max((maxTokens * charactersPerToken) / Math.max(data.length, 1) - overheadLength, 0)
  const comments = data.map((comment) =>
    shown(comment, Math.floor(detail === 'full' ? share : Math.min(share, conciseLengthMax))),
  )
  const { nextCursor, hasMore } = page
  const isCut = comments.some(({ cutOff }) => cutOff !== undefined)
  return {
    structured: { data: comments, ...(isCut && { truncated: true }), page: { nextCursor, hasMore } },
    text: [
      ...(comments.length === 0 ? ['No comments.'] : comments.map(textOf)),
      ...(isCut ? ['Longer texts are cut: `detail` full, a smaller `limit` or more `maxTokens` shows more.'] : []),
      ...(nextCursor === null ? [] : [`Older ones: cursor ${nextCursor}`]),
    ].join('\n\n'),
  }
}

function shown({ id, createdAt, createdBy, body }: Comment, lengthMax: number): Shown {
  const cutOff = body.length - lengthMax
  const text = { id, at: createdAt, by: createdBy.name }
  return cutOff <= 0 ? { ...text, body } : { ...text, body: `${body.slice(0, lengthMax)}…`, cutOff }
}

const textOf = ({ id, at, by, body, cutOff }: Shown): string =>
  `**${by}**, ${at} (${id})\n${body}${cutOff === undefined ? '' : ` (${cutOff} characters more)`}`

export const runCommentsCreate: Runner = async (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const {
    type,
    id,
    body: text,
    idempotencyKey,
  } = args as Subject & { readonly body: string; readonly idempotencyKey?: string }
  const { body } = await callOperation(operationNamed(`${type}.create-comment`), { id, body: text }, exchange, {
    idempotencyKey,
  })
  const { id: commentId, createdAt, subject } = body as Comment
  return {
    structured: { id: commentId, subject, createdAt },
    text: `Comment ${commentId} written on ${type} ${id}.`,
  }
}
