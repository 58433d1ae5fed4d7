// A comment on a project, a task or a CRM entity.
import { Type, type Static, type TString } from 'typebox'
import { Id, closed, resourceFields, ExpectedVersion } from './shared-fields.ts'
import type { Segment } from './scopes.ts'
import { event, type Event } from './event.ts'
import { CrmEntityRef, ProjectRef, TaskRef } from './references.ts'
import { byName, operation } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'

/** Segments whose objects can be commented on. */
export const commented = ['tasks', 'projects', 'crm-entities'] as const satisfies Segment[]
export type CommentedSegment = (typeof commented)[number]

export const commentBody = Type.String({
  minLength: 1,
  maxLength: 50_000,
  pattern: '\\S',
  description: 'Markdown.',
})

export const Comment = closed({
  ...resourceFields('comment'),
  subject: closed({ type: Type.Enum([...commented]), id: Id }),
  body: commentBody,
})
export type Comment = Static<typeof Comment>

// Comments on projects, tasks and CRM entities: events and operations, each by its full name.

const about = '`resource` is what the comment is on, `data` the comment.'
export const taskCommentCreated = event('tasks.comment_created', Comment, `A comment on a task was written. ${about}`)
export const taskCommentUpdated = event('tasks.comment_updated', Comment, `A comment on a task was changed. ${about}`)
export const taskCommentDeleted = event('tasks.comment_deleted', Comment, `A comment on a task was deleted. ${about}`)
export const projectCommentCreated = event(
  'projects.comment_created',
  Comment,
  `A comment on a project was written. ${about}`,
)
export const projectCommentUpdated = event(
  'projects.comment_updated',
  Comment,
  `A comment on a project was changed. ${about}`,
)
export const projectCommentDeleted = event(
  'projects.comment_deleted',
  Comment,
  `A comment on a project was deleted. ${about}`,
)
export const crmEntityCommentCreated = event(
  'crm-entities.comment_created',
  Comment,
  `A comment on a CRM entity was written. ${about}`,
)
export const crmEntityCommentUpdated = event(
  'crm-entities.comment_updated',
  Comment,
  `A comment on a CRM entity was changed. ${about}`,
)
export const crmEntityCommentDeleted = event(
  'crm-entities.comment_deleted',
  Comment,
  `A comment on a CRM entity was deleted. ${about}`,
)

const inPath = ({ reference }: Subject) => ({ id: reference, commentId: Id })
const readScope = <S extends Subject>({ segment }: S) => `${segment}:read` as `${S['segment']}:read`
const writeScope = <S extends Subject>({ segment }: S) => `${segment}:write` as `${S['segment']}:write`

export const {
  'tasks.list-comments': listTaskComments,
  'tasks.get-comment': getTaskComment,
  'tasks.create-comment': createTaskComment,
  'tasks.update-comment': updateTaskComment,
  'tasks.delete-comment': deleteTaskComment,
} = commentOperations({
  segment: 'tasks',
  singular: 'task',
  reference: TaskRef,
  events: { created: taskCommentCreated, updated: taskCommentUpdated, deleted: taskCommentDeleted },
})

export const {
  'projects.list-comments': listProjectComments,
  'projects.get-comment': getProjectComment,
  'projects.create-comment': createProjectComment,
  'projects.update-comment': updateProjectComment,
  'projects.delete-comment': deleteProjectComment,
} = commentOperations({
  segment: 'projects',
  singular: 'project',
  reference: ProjectRef,
  events: { created: projectCommentCreated, updated: projectCommentUpdated, deleted: projectCommentDeleted },
})

export const {
  'crm-entities.list-comments': listCrmEntityComments,
  'crm-entities.get-comment': getCrmEntityComment,
  'crm-entities.create-comment': createCrmEntityComment,
  'crm-entities.update-comment': updateCrmEntityComment,
  'crm-entities.delete-comment': deleteCrmEntityComment,
} = commentOperations({
  segment: 'crm-entities',
  singular: 'CRM entity',
  reference: CrmEntityRef,
  events: { created: crmEntityCommentCreated, updated: crmEntityCommentUpdated, deleted: crmEntityCommentDeleted },
})

// The operations on the comments of one segment, the same for each segment that has comments.

type Subject = {
  readonly [S in CommentedSegment]: {
    readonly segment: S
    /** As in `Comment on a project`. */
    readonly singular: string
    /** What names the object that is commented on. */
    readonly reference: TString
    readonly events: { readonly [A in 'created' | 'updated' | 'deleted']: Event<`${S}.comment_${A}`> }
  }
}[CommentedSegment]

/** By their full names: `tasks.create-comment`. */
export function commentOperations<S extends Subject>(subject: S) {
  return byName({
    list: list(subject),
    get: get(subject),
    create: create(subject),
    update: update(subject),
    delete: remove(subject),
  })
}

function list<S extends Subject>(subject: S) {
  const { segment, singular } = subject
  return operation({
    name: `${segment}.list-comments` as `${S['segment']}.list-comments`,
    http: `GET /${segment}/{id}/comments`,
    summary: `List the comments on a ${singular}`,
    description: 'Oldest first, unless sorted by `-createdAt`.',
    scope: readScope(subject),
    input: closed({
      id: subject.reference,
      ...pageInput,
      sort: Type.Optional(Type.Enum(['createdAt', '-createdAt'], { default: 'createdAt' })),
    }),
    output: pageOf(Comment),
    success: 200,
    errors: ['not_found', 'invalid_cursor', 'cursor_mismatch'],
  })
}

function get<S extends Subject>(subject: S) {
  const { segment, singular } = subject
  return operation({
    name: `${segment}.get-comment` as `${S['segment']}.get-comment`,
    http: `GET /${segment}/{id}/comments/{commentId}`,
    summary: `Get a comment on a ${singular}`,
    description: `One comment by its id and that of the ${singular}.`,
    scope: readScope(subject),
    input: closed(inPath(subject)),
    output: Comment,
    success: 200,
    errors: ['not_found'],
  })
}

function create<S extends Subject>(subject: S) {
  const { segment, singular, events } = subject
  return operation({
    name: `${segment}.create-comment` as `${S['segment']}.create-comment`,
    http: `POST /${segment}/{id}/comments`,
    summary: `Comment on a ${singular}`,
    description: 'The author is the calling key.',
    scope: writeScope(subject),
    input: closed({ id: subject.reference, body: commentBody }),
    output: Comment,
    success: 201,
    errors: ['not_found', 'project_archived'],
    emits: [events.created as S['events']['created']],
  })
}

function update<S extends Subject>(subject: S) {
  const { segment, singular, events } = subject
  return operation({
    name: `${segment}.update-comment` as `${S['segment']}.update-comment`,
    http: `PATCH /${segment}/{id}/comments/{commentId}`,
    summary: `Change a comment on a ${singular}`,
    description:
      'A key with the write scope may change any comment; `createdBy` and `updatedBy` show the author and the last editor.',
    scope: writeScope(subject),
    input: closed({
      ...inPath(subject),
      expectedVersion: Type.Optional(ExpectedVersion),
      body: Type.Optional(commentBody),
    }),
    output: Comment,
    success: 200,
    errors: ['not_found', 'version_mismatch', 'project_archived'],
    emits: [events.updated as S['events']['updated']],
  })
}

function remove<S extends Subject>(subject: S) {
  const { segment, singular, events } = subject
  return operation({
    name: `${segment}.delete-comment` as `${S['segment']}.delete-comment`,
    http: `DELETE /${segment}/{id}/comments/{commentId}`,
    summary: `Delete a comment on a ${singular}`,
    description: 'A key with the write scope may delete any comment. Deleting it again changes nothing.',
    scope: writeScope(subject),
    input: closed({ ...inPath(subject), expectedVersion: Type.Optional(ExpectedVersion) }),
    output: Type.Null(),
    success: 204,
    errors: ['not_found', 'version_mismatch', 'project_archived'],
    emits: [events.deleted as S['events']['deleted']],
  })
}
