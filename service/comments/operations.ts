// Comments over the workspace, as a collection of which each caller sees what its scopes allow, and below the object
// that they are on: the same for a task, a project or a CRM entity.
import type { OperationName } from '#contract/api.ts'
import {
  commented,
  type Comment,
  type CommentedSegment,
  type getTaskComment,
  type listTaskComments,
  type createTaskComment,
  type deleteTaskComment,
  type updateTaskComment,
} from '#contract/comments.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Input, Output } from '#contract/operation.ts'
import { covers, type Scope } from '#contract/scopes.ts'
import type { CollectionAction, CollectionHandler, EachCollection } from '../collection/definition.ts'
import { deleteObject } from '../collection/delete.ts'
import { handlersOf, type CollectionDeps } from '../collection/operations.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import { find, findAny } from '../collection/rows.ts'
import { createObject, updateObject } from '../collection/write.ts'
import type { Handlers, Call } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'
import { commentsOn } from './collection.ts'
import { findSubject, toComment, withFiles } from './rows.ts'
import { subjectFields } from './rules.ts'

type CommentDeps = CollectionDeps & { readonly eachCollection: EachCollection }

export const commentHandlers = (parts: CommentDeps) => ({
  ...overWorkspace(parts),
  ...({
    'tasks.list-comments': list('tasks', parts.pager),
    'tasks.get-comment': get('tasks'),
    'tasks.create-comment': create('tasks'),
    'tasks.update-comment': update('tasks'),
    'tasks.delete-comment': remove('tasks'),
    'projects.list-comments': list('projects', parts.pager),
    'projects.get-comment': get('projects'),
    'projects.create-comment': create('projects'),
    'projects.update-comment': update('projects'),
    'projects.delete-comment': remove('projects'),
    'crm-entities.list-comments': list('crm-entities', parts.pager),
    'crm-entities.get-comment': get('crm-entities'),
    'crm-entities.create-comment': create('crm-entities'),
    'crm-entities.update-comment': update('crm-entities'),
    'crm-entities.delete-comment': remove('crm-entities'),
  } satisfies Partial<Handlers>),
})

// Over the workspace.

type Names = Extract<OperationName, `comments.${CollectionAction}`>

function overWorkspace({ eachCollection, ...parts }: CommentDeps): Pick<Handlers, Names> {
  const bySegments = new Map<string, Readonly<Record<string, CollectionHandler>>>()
  const handlersFor = (segments: readonly CommentedSegment[]) => {
    const key = segments.join(' ')
    const handlers = bySegments.get(key) ?? handlersOf(commentsOn(segments), eachCollection, parts)
    bySegments.set(key, handlers)
    return handlers
  }
  const names = Object.keys(handlersFor(commented))
  const handlers = names.map((name): [string, CollectionHandler] => [
    name,
    (input, call) => {
      const asked = input['subjectType'] as readonly string[] | undefined
      const handler = handlersFor(readable(asked, call.principal.scopes))[name]
      if (handler === undefined) throw new Error(`Comments have no operation ${name}`)
      return handler(input, call)
    },
  ])
  // The collection has every name. What the handlers take and return is checked against their operations when they are
  // called (execution/execute.ts).
  return Object.fromEntries<unknown>(handlers) as Pick<Handlers, Names>
}

/** The segments whose comments these scopes let a caller read. Throws unless these are all that `asked` names. */
function readable(asked: readonly string[] | undefined, held: readonly string[]): readonly CommentedSegment[] {
  const readScope = (segment: CommentedSegment): Scope => `${segment}:read`
  const allowed = commented.filter((segment) => covers(held, readScope(segment)))
  const lacking = commented.filter((segment) => asked?.includes(segment) && !allowed.includes(segment))
  if (allowed.length > 0 && lacking.length === 0) return allowed
  const requiredScopes = (lacking.length > 0 ? lacking : commented).map(readScope)
  const which = lacking.length > 0 ? 'these comments a key needs' : 'comments a key needs one of'
  throw new Fault('insufficient_scope', `To read ${which} ${requiredScopes.join(', ')}.`, { requiredScopes })
}

// On one object.

const list =
  (segment: CommentedSegment, pager: Pager) =>
  async (input: Input<typeof listTaskComments>, call: Call): Promise<Output<typeof listTaskComments>> => {
    const { workspaceId, db } = call
    const { id } = await findSubject(segment, input.id, call)
    const query = { ...input, id }
    const paging = pager.open(`${segment}.list-comments`, workspaceId, query, 'createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const here = { workspaceId, [subjectFields[segment]]: id, deletedAt: null }
    const rows = await db.comment.findMany({ where: { AND: [here, beyond] }, ...page, include: withFiles })
    return pager.page(
      rows,
      paging,
      (row) => row.createdAt.toISOString(),
      (row) => toComment(segment, row),
    )
  }

const on = {
  tasks: commentsOn(['tasks']),
  projects: commentsOn(['projects']),
  'crm-entities': commentsOn(['crm-entities']),
}

type InPath = { readonly id: string; readonly commentId: string }

/** The comment on this object; with `findAny` also one that is deleted. Throws `not_found`. */
async function commentAt(
  segment: CommentedSegment,
  { id, commentId }: InPath,
  call: Call,
  findOne: typeof find = find,
): Promise<Comment> {
  await findSubject(segment, id, call)
  const comment = await findOne(call.db, on[segment], call.workspaceId, commentId)
  if (comment.subject.id !== id) throw notFoundById('comment')
  return comment
}

const get =
  (segment: CommentedSegment) =>
  (input: Input<typeof getTaskComment>, call: Call): Promise<Output<typeof getTaskComment>> =>
    commentAt(segment, input, call)

const create =
  (segment: CommentedSegment) =>
  async ({ id, ...fields }: Input<typeof createTaskComment>, call: Call): Promise<Comment> => {
    await findSubject(segment, id, call)
    return await createObject(on[segment], { ...fields, [subjectFields[segment]]: id }, call)
  }

const update =
  (segment: CommentedSegment) =>
  async ({ id, commentId, ...patch }: Input<typeof updateTaskComment>, call: Call): Promise<Comment> => {
    const before = await commentAt(segment, { id, commentId }, call)
    return await updateObject(on[segment], before, patch, call)
  }

const remove =
  (segment: CommentedSegment) =>
  async ({ expectedVersion, ...input }: Input<typeof deleteTaskComment>, call: Call): Promise<null> => {
    const before = await commentAt(segment, input, call, findAny)
    return await deleteObject(on[segment], before, expectedVersion, call)
  }
