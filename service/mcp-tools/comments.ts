// Lists the comments on an object, and writes one.
import type { Comment } from '#contract/comments.ts'
import { operationNamed } from '#contract/api.ts'
import { maxTokensDefault } from '#contract/tools/tool.ts'
import { callOperation } from './call-operation.ts'
import { cutNote } from './cut-note.ts'
import { pageWithinBudget, type Page, type Shown as ShownPage } from './page-within-budget.ts'
import type { Runner, ToolAnswer } from './runner.ts'

type Subject = { readonly type: string; readonly id: string }
type Listing = Subject & {
  readonly limit?: number
  readonly cursor?: string
  readonly detail?: 'concise' | 'full'
  readonly maxTokens?: number
}
type CommentPage = {
  readonly data: readonly Comment[]
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean }
}
type Shown = {
  readonly id: string
  readonly at: string
  readonly by: string
  /** Left out where not even a part of it fits. */
  readonly body?: string
  readonly cutOff?: number
}

const limitDefault = 20
const conciseLengthMax = 600

export const runCommentsList: Runner = async (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const { type, detail, maxTokens = maxTokensDefault, limit = limitDefault, ...rest } = args as Listing
  const operation = operationNamed(`${type}.list-comments`)
  const read = async (count: number): Promise<Page> => {
    const { body } = await callOperation(operation, { ...rest, limit: count, sort: '-createdAt' }, exchange)
    const { data, page } = body as CommentPage
    return { data: data.map((comment) => shown(comment, detail === 'full')), page }
  }
  return pageWithinBudget({ limit, tokensMax: maxTokens, read, render })
}

function shown({ id, createdAt, createdBy, body }: Comment, isFull: boolean): Shown {
  const cutOff = isFull ? 0 : body.length - conciseLengthMax
  const comment = { id, at: createdAt, by: createdBy.name }
  if (cutOff <= 0) return { ...comment, body }
  return { ...comment, body: `${body.slice(0, conciseLengthMax).toWellFormed()}…`, cutOff }
}

function render({ page: { data, page }, isTruncated, cut }: ShownPage): ToolAnswer {
  // They are those that `read` has made, of which a text may have been cut or left out.
  const comments = data as readonly Shown[]
  const { nextCursor, hasMore } = page
  const isCut = comments.some(({ cutOff }) => cutOff !== undefined)
  const notes = [
    isCut ? 'Texts are cut: `detail` full shows them whole.' : '',
    cutNote(cut),
    nextCursor === null ? '' : `Older ones: cursor ${nextCursor}`,
  ]
  return {
    structured: { data: comments, ...(isTruncated && { truncated: true }), page: { nextCursor, hasMore } },
    text: [...(comments.length === 0 ? ['No comments.'] : comments.map(textOf)), ...notes.filter(Boolean)].join('\n\n'),
  }
}

const textOf = ({ id, at, by, body, cutOff }: Shown): string =>
  `**${by}**, ${at} (${id})\n${body ?? ''}${cutOff === undefined ? '' : ` (${cutOff} characters more)`}`

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
