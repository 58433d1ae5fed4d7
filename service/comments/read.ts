import type { getTaskComment, listTaskComments } from '#contract/comments.ts'
import type { Input, Output } from '#contract/operation.ts'
import type { Call } from '../execution/call.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import { findAny, notFound, toComment } from './rows.ts'
import { findSubject, type Subject } from './commented-object.ts'

export const list =
  (subject: Subject, pager: Pager) =>
  async (input: Input<typeof listTaskComments>, call: Call): Promise<Output<typeof listTaskComments>> => {
    const { segment, column } = subject
    const { workspaceId, db } = call
    const { id } = await findSubject(subject, input.id, call)
    const query = { ...input, id }
    const paging = pager.open(`${segment}.list-comments`, workspaceId, query, 'createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const here = { workspaceId, [column]: id, deletedAt: null }
    const rows = await db.comment.findMany({ where: { AND: [here, beyond] }, ...page })
    return pager.page(
      rows,
      paging,
      (row) => row.createdAt.toISOString(),
      (row) => toComment(segment, row),
    )
  }

export const get =
  (subject: Subject) =>
  async (input: Input<typeof getTaskComment>, call: Call): Promise<Output<typeof getTaskComment>> => {
    await findSubject(subject, input.id, call)
    const comment = await findAny(call.db, subject, call.workspaceId, input)
    if (comment.deletedAt !== null) throw notFound()
    return comment
  }
