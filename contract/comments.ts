// Comments on tasks, projects and CRM entities: schema, events, operations, declared once for the three.
import { Type, type Static } from 'typebox'
import { event, type Event } from './event-envelope.ts'
import { ExpectedVersion, Id, closed, stored } from './fields.ts'
import { operation } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import type { Segment } from './scope.ts'

export type CommentedSegment = Extract<Segment, 'tasks' | 'projects' | 'crm-entities'>
const commented = ['tasks', 'projects', 'crm-entities'] satisfies CommentedSegment[]

const Body = Type.String({ minLength: 1, maxLength: 50_000, pattern: '\\S', description: 'Markdown.' })

export const Comment = closed({
  ...stored('comment'),
  subject: closed({ type: Type.Enum([...commented]), id: Id }),
  body: Body,
})
export type Comment = Static<typeof Comment>

const about = '`resource` is what the comment is on, `data` the comment.'

const commentEvents = <S extends CommentedSegment>(segment: S, one: string) => ({
  created: event(`${segment}.comment_created` as const, Comment, `A comment on a ${one} was written. ${about}`),
  updated: event(`${segment}.comment_updated` as const, Comment, `A comment on a ${one} was changed. ${about}`),
  deleted: event(`${segment}.comment_deleted` as const, Comment, `A comment on a ${one} was deleted. ${about}`),
})

type Events = Record<'created' | 'updated' | 'deleted', Event>

function comments<const S extends CommentedSegment, E extends Events>(segment: S, one: string, events: E) {
  const read = `${segment}:read` as const
  const write = `${segment}:write` as const
  const path = `/${segment}/{id}/comments` as const
  const named = { id: Id, commentId: Id }
  return {
    list: operation({
      name: `${segment}.list-comments` as const,
      http: `GET ${path}`,
      summary: `List the comments on a ${one}`,
      description: 'Oldest first, unless sorted by `-createdAt`.',
      scope: read,
      input: closed({
        id: Id,
        ...pageInput,
        sort: Type.Optional(Type.Enum(['createdAt', '-createdAt'], { default: 'createdAt' })),
      }),
      output: pageOf(Comment),
      success: 200,
      errors: ['not_found', 'invalid_cursor', 'cursor_mismatch'],
    }),
    create: operation({
      name: `${segment}.create-comment` as const,
      http: `POST ${path}`,
      summary: `Comment on a ${one}`,
      description: 'Its author is the key that calls.',
      scope: write,
      input: closed({ id: Id, body: Body }),
      output: Comment,
      success: 201,
      errors: ['not_found', 'project_archived'],
      emits: [events.created as E['created']],
    }),
    get: operation({
      name: `${segment}.get-comment` as const,
      http: `GET ${path}/{commentId}`,
      summary: `Get a comment on a ${one}`,
      description: `One comment by its id and that of the ${one}.`,
      scope: read,
      input: closed(named),
      output: Comment,
      success: 200,
      errors: ['not_found'],
    }),
    update: operation({
      name: `${segment}.update-comment` as const,
      http: `PATCH ${path}/{commentId}`,
      summary: `Change a comment on a ${one}`,
      description: 'Whoever may write here may change any comment; `createdBy` and `updatedBy` tell them apart.',
      scope: write,
      input: closed({ ...named, expectedVersion: Type.Optional(ExpectedVersion), body: Type.Optional(Body) }),
      output: Comment,
      success: 200,
      errors: ['not_found', 'version_mismatch', 'project_archived'],
      emits: [events.updated as E['updated']],
    }),
    remove: operation({
      name: `${segment}.delete-comment` as const,
      http: `DELETE ${path}/{commentId}`,
      summary: `Delete a comment on a ${one}`,
      description: 'Whoever may write here may delete any comment. Deleting it again changes nothing.',
      scope: write,
      input: closed({ ...named, expectedVersion: Type.Optional(ExpectedVersion) }),
      output: Type.Null(),
      success: 204,
      errors: ['not_found', 'version_mismatch', 'project_archived'],
      emits: [events.deleted as E['deleted']],
    }),
  }
}

const taskEvents = commentEvents('tasks', 'task')
const projectEvents = commentEvents('projects', 'project')
const crmEntityEvents = commentEvents('crm-entities', 'CRM entity')
export const { created: taskCommentCreated, updated: taskCommentUpdated, deleted: taskCommentDeleted } = taskEvents
export const {
  created: projectCommentCreated,
  updated: projectCommentUpdated,
  deleted: projectCommentDeleted,
} = projectEvents
export const {
  created: crmEntityCommentCreated,
  updated: crmEntityCommentUpdated,
  deleted: crmEntityCommentDeleted,
} = crmEntityEvents

export const {
  list: listTaskComments,
  create: createTaskComment,
  get: getTaskComment,
  update: updateTaskComment,
  remove: deleteTaskComment,
} = comments('tasks', 'task', taskEvents)
export const {
  list: listProjectComments,
  create: createProjectComment,
  get: getProjectComment,
  update: updateProjectComment,
  remove: deleteProjectComment,
} = comments('projects', 'project', projectEvents)
export const {
  list: listCrmEntityComments,
  create: createCrmEntityComment,
  get: getCrmEntityComment,
  update: updateCrmEntityComment,
  remove: deleteCrmEntityComment,
} = comments('crm-entities', 'CRM entity', crmEntityEvents)
