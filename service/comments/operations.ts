// Comments: the same functions for each kind of subject, a task, a project or a CRM entity.
import type {
  Comment,
  getTaskComment,
  listTaskComments,
  createTaskComment,
  deleteTaskComment,
  updateTaskComment,
} from '#contract/comments.ts'
import type { Input, Output } from '#contract/operation.ts'
import { newId } from '#runtime/new-id.ts'
import type { Handlers, Call } from '../execution/call.ts'
import { projectArchived } from '../faults/shared-faults.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import { baseFields, bumpVersion, isUnchanged } from '../execution/system-fields.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { takeQuota } from '../execution/quotas.ts'
import {
  ofCrmEntities,
  ofProjects,
  ofTasks,
  findAny,
  notFound,
  toComment,
  findSubject,
  insertRow,
  updateRow,
  type Subject,
  type FoundSubject,
} from './rows.ts'

type CommentDeps = { readonly pager: Pager }

export const commentHandlers = ({ pager }: CommentDeps) =>
  ({
    'tasks.list-comments': list(ofTasks, pager),
    'tasks.get-comment': get(ofTasks),
    'tasks.create-comment': create(ofTasks),
    'tasks.update-comment': update(ofTasks),
    'tasks.delete-comment': remove(ofTasks),
    'projects.list-comments': list(ofProjects, pager),
    'projects.get-comment': get(ofProjects),
    'projects.create-comment': create(ofProjects),
    'projects.update-comment': update(ofProjects),
    'projects.delete-comment': remove(ofProjects),
    'crm-entities.list-comments': list(ofCrmEntities, pager),
    'crm-entities.get-comment': get(ofCrmEntities),
    'crm-entities.create-comment': create(ofCrmEntities),
    'crm-entities.update-comment': update(ofCrmEntities),
    'crm-entities.delete-comment': remove(ofCrmEntities),
  }) satisfies Partial<Handlers>

const list =
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

const get =
  (subject: Subject) =>
  async (input: Input<typeof getTaskComment>, call: Call): Promise<Output<typeof getTaskComment>> => {
    await findSubject(subject, input.id, call)
    const comment = await findAny(call.db, subject, call.workspaceId, input)
    if (comment.deletedAt !== null) throw notFound()
    return comment
  }

const create =
  (subject: Subject) =>
  async ({ id, body }: Input<typeof createTaskComment>, call: Call): Promise<Comment> => {
    const found = await findSubject(subject, id, call)
    assertNotArchived(found)
    const { workspaceId, actor, now } = call
    const comment: Comment = {
      ...baseFields('comment', { id: newId(now), workspaceId, actor, now }),
      subject: { type: subject.segment, id: found.id },
      body,
    }
    takeQuota(call.quotaRoom, 'objects', 1)
    await insertRow(call.db, subject, comment)
    call.emit(subject.events.created, comment, undefined, found)
    return comment
  }

const update =
  (subject: Subject) =>
  async ({ expectedVersion, ...input }: Input<typeof updateTaskComment>, call: Call): Promise<Comment> => {
    const found = await findSubject(subject, input.id, call)
    const before = await findAny(call.db, subject, call.workspaceId, input)
    if (before.deletedAt !== null) throw notFound()
    assertVersion(before, expectedVersion, call)
    assertNotArchived(found)
    const next = { ...before, body: input.body ?? before.body }
    if (isUnchanged(before, next)) return before
    const after = bumpVersion(next, call)
    await updateRow(call.db, after)
    call.emit(subject.events.updated, after, before, found)
    return after
  }

const remove =
  (subject: Subject) =>
  async ({ expectedVersion, ...input }: Input<typeof deleteTaskComment>, call: Call): Promise<null> => {
    const found = await findSubject(subject, input.id, call)
    const before = await findAny(call.db, subject, call.workspaceId, input)
    if (before.deletedAt !== null) return null
    assertVersion(before, expectedVersion, call)
    assertNotArchived(found)
    const after = bumpVersion({ ...before, deletedAt: call.now.toISOString() }, call)
    await updateRow(call.db, after)
    call.emit(subject.events.deleted, after, undefined, found)
    return null
  }

function assertNotArchived({ archived }: FoundSubject): void {
  if (!archived) return
  throw projectArchived('comments')
}
