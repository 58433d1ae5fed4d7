// Comments on projects, tasks and CRM entities: schema, events, operations, in that order.
import { Type, type Static, type TString } from 'typebox'
import { collection, expandable } from './collection/operations.ts'
import {
  crmEntityFilter,
  enumFilter,
  months,
  projectFilterOf,
  taskFilter,
  fileFilter,
} from './collection/parameters.ts'
import { AnyImport, contentFields, fieldScopes } from './imports.ts'
import { Id, closed, externalIdFields, nullable, optional, ExpectedVersion } from './shared-fields.ts'
import type { Segment } from './scopes.ts'
import { event } from './event.ts'
import { CommentRef, CrmEntityRef, FileIds, ProjectRef, TaskRef, filesExpansion } from './references.ts'
import { byName, operation, tag } from './operation.ts'
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
  ...contentFields('comment'),
  subject: closed({ type: Type.Enum([...commented]), id: Id }),
  body: commentBody,
  fileIds: FileIds,
  ...externalIdFields,
})
export type Comment = Static<typeof Comment>

// Comments on projects, tasks and CRM entities: events, operations over all comments, and operations below the object
// that comments are on.

export const commentsTag = tag('comments', 'Comments on projects, tasks and CRM entities, wherever they are.')

const about = '`resource` is what the comment is on, `data` the comment.'
const commentEvent = <T extends `${CommentedSegment}.comment_${string}`>(type: T, sentence: string) =>
  event(type, Comment, `${sentence} ${about}`)
export const taskCommentCreated = commentEvent('tasks.comment_created', 'A comment on a task was written.')
export const taskCommentUpdated = commentEvent('tasks.comment_updated', 'A comment on a task was changed.')
export const taskCommentDeleted = commentEvent('tasks.comment_deleted', 'A comment on a task was deleted.')
export const taskCommentRestored = commentEvent('tasks.comment_restored', 'A deleted comment on a task was restored.')
export const projectCommentCreated = commentEvent('projects.comment_created', 'A comment on a project was written.')
export const projectCommentUpdated = commentEvent('projects.comment_updated', 'A comment on a project was changed.')
export const projectCommentDeleted = commentEvent('projects.comment_deleted', 'A comment on a project was deleted.')
export const projectCommentRestored = commentEvent(
  'projects.comment_restored',
  'A deleted comment on a project was restored.',
)
export const crmEntityCommentCreated = commentEvent(
  'crm-entities.comment_created',
  'A comment on a CRM entity was written.',
)
export const crmEntityCommentUpdated = commentEvent(
  'crm-entities.comment_updated',
  'A comment on a CRM entity was changed.',
)
export const crmEntityCommentDeleted = commentEvent(
  'crm-entities.comment_deleted',
  'A comment on a CRM entity was deleted.',
)
export const crmEntityCommentRestored = commentEvent(
  'crm-entities.comment_restored',
  'A deleted comment on a CRM entity was restored.',
)

/** By the segment that a comment is on. */
export const commentEvents = {
  tasks: {
    created: taskCommentCreated,
    updated: taskCommentUpdated,
    deleted: taskCommentDeleted,
    restored: taskCommentRestored,
  },
  projects: {
    created: projectCommentCreated,
    updated: projectCommentUpdated,
    deleted: projectCommentDeleted,
    restored: projectCommentRestored,
  },
  'crm-entities': {
    created: crmEntityCommentCreated,
    updated: crmEntityCommentUpdated,
    deleted: crmEntityCommentDeleted,
    restored: crmEntityCommentRestored,
  },
} as const

// A comment is on one object, which its fields name where it is written: `taskId`, `projectId` or `crmEntityId`.

const changeable = { body: commentBody, fileIds: FileIds, ...externalIdFields }
const expansions = { files: filesExpansion }

export const {
  'comments.list': listComments,
  'comments.get': getComment,
  'comments.count': countComments,
  'comments.create': createComment,
  'comments.update': updateComment,
  'comments.delete': deleteComment,
  'comments.restore': restoreComment,
  'comments.purge': purgeComment,
  'comments.get-by-external-id': getCommentByExternalId,
  'comments.upsert': upsertComment,
  'comments.delete-by-external-id': deleteCommentByExternalId,
  'comments.set-external-id': setCommentExternalId,
  'comments.remove-external-id': removeCommentExternalId,
  'comments.batch': batchComments,
} = collection({
  segment: 'comments',
  singular: 'comment',
  reference: CommentRef,
  resource: Comment,
  expanded: expandable(Comment, expansions),
  fields: { ...Comment.properties, ...expansions },
  expansions: Object.keys(expansions),
  create: {
    ...optional({
      taskId: nullable(TaskRef),
      projectId: nullable(ProjectRef),
      crmEntityId: nullable(CrmEntityRef),
      fileIds: FileIds,
      ...externalIdFields,
    }),
    body: commentBody,
  },
  patch: optional(changeable),
  filters: {
    subjectType: enumFilter(commented),
    taskId: taskFilter,
    projectId: projectFilterOf('Comments on these projects and on their tasks.'),
    crmEntityId: crmEntityFilter,
    fileId: fileFilter,
  },
  sorts: ['createdAt', 'updatedAt'],
  groups: ['externalSource', ...months('createdAt', 'updatedAt')],
  isUnsearched: true,
  events: {
    created: [taskCommentCreated, projectCommentCreated, crmEntityCommentCreated],
    updated: [taskCommentUpdated, projectCommentUpdated, crmEntityCommentUpdated],
    deleted: [taskCommentDeleted, projectCommentDeleted, crmEntityCommentDeleted],
    restored: [taskCommentRestored, projectCommentRestored, crmEntityCommentRestored],
  },
})

const inPath = ({ reference }: Subject) => ({ id: reference, commentId: CommentRef })
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
})

// The operations on the comments of one segment, the same for each segment that has comments.

type Subject = {
  readonly [S in CommentedSegment]: {
    readonly segment: S
    /** As in `Comment on a project`. */
    readonly singular: string
    /** What names the object that is commented on. */
    readonly reference: TString
  }
}[CommentedSegment]

type EventsOn<S extends Subject> = (typeof commentEvents)[S['segment']]

/** By their full names: `tasks.create-comment`. */
function commentOperations<S extends Subject>(subject: S) {
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
    errors: ['not_found', 'invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
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
  const { segment, singular } = subject
  return operation({
    name: `${segment}.create-comment` as `${S['segment']}.create-comment`,
    http: `POST /${segment}/{id}/comments`,
    summary: `Comment on a ${singular}`,
    description: 'The author is the key of the request.',
    scope: writeScope(subject),
    fieldScopes,
    input: closed({
      id: subject.reference,
      ...optional(changeable),
      body: commentBody,
      imported: Type.Optional(AnyImport),
    }),
    emptyTextIsNull: true,
    output: Comment,
    success: 201,
    errors: ['not_found', 'duplicate', 'reference_not_found', 'project_archived'],
    emits: [commentEvents[segment].created as EventsOn<S>['created']],
  })
}

function update<S extends Subject>(subject: S) {
  const { segment, singular } = subject
  return operation({
    name: `${segment}.update-comment` as `${S['segment']}.update-comment`,
    http: `PATCH /${segment}/{id}/comments/{commentId}`,
    summary: `Change a comment on a ${singular}`,
    description:
      'A key with the write scope may change any comment; `createdBy` and `updatedBy` show the author and the last editor.',
    scope: writeScope(subject),
    fieldScopes,
    input: closed({
      ...inPath(subject),
      expectedVersion: Type.Optional(ExpectedVersion),
      ...optional(changeable),
      imported: Type.Optional(AnyImport),
    }),
    emptyTextIsNull: true,
    output: Comment,
    success: 200,
    errors: ['not_found', 'duplicate', 'reference_not_found', 'version_mismatch', 'project_archived'],
    emits: [commentEvents[segment].updated as EventsOn<S>['updated']],
  })
}

function remove<S extends Subject>(subject: S) {
  const { segment, singular } = subject
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
    emits: [commentEvents[segment].deleted as EventsOn<S>['deleted']],
  })
}
