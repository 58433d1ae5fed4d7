// The operations on the comments of one segment, the same for each segment that has comments.
import { Type, type TString } from 'typebox'
import { Comment, commentBody, type CommentedSegment } from './comment-schema.ts'
import type { Event } from './event-declaration.ts'
import { ExpectedVersion, Id, closed } from './shared-fields.ts'
import { byName, operation } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'

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

const inPath = ({ reference }: Subject) => ({ id: reference, commentId: Id })
const readScope = <S extends Subject>({ segment }: S) => `${segment}:read` as `${S['segment']}:read`
const writeScope = <S extends Subject>({ segment }: S) => `${segment}:write` as `${S['segment']}:write`

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
    description: 'Its author is the key that calls.',
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
    description: 'Whoever may write here may change any comment; `createdBy` and `updatedBy` tell them apart.',
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
    description: 'Whoever may write here may delete any comment. Deleting it again changes nothing.',
    scope: writeScope(subject),
    input: closed({ ...inPath(subject), expectedVersion: Type.Optional(ExpectedVersion) }),
    output: Type.Null(),
    success: 204,
    errors: ['not_found', 'version_mismatch', 'project_archived'],
    emits: [events.deleted as S['events']['deleted']],
  })
}
