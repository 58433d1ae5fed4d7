// A comment on a project, a task or a CRM entity.
import { Type, type Static } from 'typebox'
import { Id, closed, resourceFields } from './shared-fields.ts'
import type { Segment } from './scopes.ts'

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
