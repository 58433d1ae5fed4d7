// The operations on comments bound to their functions, for each kind of subject alike.
import type { OperationName } from '#contract/api.ts'
import type { CommentedSegment } from '#contract/comment-schema.ts'
import type { Handlers } from '../execution/handler.ts'
import type { Pager } from '../lists/pagination.ts'
import { get, list } from './read.ts'
import { ofCrmEntities, ofProjects, ofTasks, type Subject } from './subject.ts'
import { create, remove, update } from './write.ts'

type Action = 'list' | 'create' | 'get' | 'update' | 'delete'
type Name<S extends CommentedSegment> = Extract<
  OperationName,
  `${S}.list-comments` | `${S}.${Exclude<Action, 'list'>}-comment`
>

type Parts = { readonly pager: Pager }

export const commentHandlers = ({ pager }: Parts) =>
  ({
    ...handlersOn(ofTasks, pager),
    ...handlersOn(ofProjects, pager),
    ...handlersOn(ofCrmEntities, pager),
  }) satisfies Partial<Handlers>

function handlersOn<S extends CommentedSegment>(subject: Subject<S>, pager: Pager): Pick<Handlers, Name<S>> {
  const { segment } = subject
  const handlers = {
    [`${segment}.list-comments`]: list(subject, pager),
    [`${segment}.create-comment`]: create(subject),
    [`${segment}.get-comment`]: get(subject),
    [`${segment}.update-comment`]: update(subject),
    [`${segment}.delete-comment`]: remove(subject),
  }
  // The names are put together from the segment: that the object has them all, the compiler cannot see.
  return handlers as unknown as Pick<Handlers, Name<S>>
}
