// The collection of comments, as a caller sees it: whoever may read an object may read the comments on it.
import { commentEvents, Comment, type CommentedSegment } from '#contract/comments.ts'
import { Fault } from '#contract/faults/fault.ts'
import { define, type Collection } from '../collection/definition.ts'
import { expandMany, fileReference, files } from '../collection/expand.ts'
import { linkIn, optionalColumnIn } from '../collection/filters.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Call } from '../execution/call.ts'
import { missingReference, projectArchived } from '../faults/shared-faults.ts'
import { findSubject, inProject, isOneOf, isShownOn, subjectColumns, subjectOfRow, subjectTypeIn } from './rows.ts'
import { applyPatch, draft, erased, subjectFields } from './rules.ts'

export type Comments = Collection<Comment, 'comments'>

/** The comments on the objects of these segments. */
export const commentsOn = (segments: readonly CommentedSegment[]): Comments =>
  define({
    segment: 'comments',
    operations: {
      list: 'comments.list',
      get: 'comments.get',
      create: 'comments.create',
      update: 'comments.update',
      delete: 'comments.delete',
      restore: 'comments.restore',
      purge: 'comments.purge',
      'get-by-external-id': 'comments.get-by-external-id',
      upsert: 'comments.upsert',
      'delete-by-external-id': 'comments.delete-by-external-id',
      'set-external-id': 'comments.set-external-id',
      'remove-external-id': 'comments.remove-external-id',
      batch: 'comments.batch',
      count: 'comments.count',
    },
    noun: 'comment',
    object: 'comment',
    table: 'comment',
    // No list of comments takes `q`, and no search finds one.
    titleColumn: 'body',
    textColumn: 'body',
    fields: Comment.properties,
    composed: {
      field: 'subject',
      sql: subjectOfRow,
      columns: subjectColumns,
      valuesOf: ({ subject }) => ({ [subjectFields[subject.type]]: subject.id }),
    },
    links: [{ field: 'fileIds', table: 'comment_file', owner: 'comment_id', column: 'file_id', type: 'uuid' }],
    // `resolve` checks the object that a comment is on: what must be there depends on its kind.
    references: [fileReference],
    permitted: isOneOf(segments),
    shown: isShownOn(segments),
    filters: {
      subjectType: subjectTypeIn,
      taskId: optionalColumnIn('task_id', 'uuid'),
      projectId: inProject,
      crmEntityId: optionalColumnIn('crm_entity_id', 'uuid'),
      fileId: linkIn('comment_file', 'comment_id', 'file_id'),
    },
    sorts: {
      createdAt: { field: 'createdAt', sql: 't.created_at', type: 'timestamptz' },
      updatedAt: { field: 'updatedAt', sql: 't.updated_at', type: 'timestamptz' },
    },
    expansions: { files: expandMany(files, 'fileIds') },
    events: ({ subject }) => commentEvents[subject.type],
    about: ({ subject }, call) => findSubject(subject.type, subject.id, call),
    draft,
    applyPatch,
    erased,
    resolve,
    afterPurge: async ({ subject }, { principal }) => {
      assertHolds([`${subject.type}:delete`], principal.scopes, 'To purge this comment')
    },
  })

/** Throws unless the caller may write comments on it, and it is there and takes changes. */
async function resolve(next: Comment, _before: Comment | null, call: Call): Promise<Comment> {
  const { type, id } = next.subject
  assertHolds([`${type}:write`], call.principal.scopes, 'To write comments on this')
  const found = await findSubject(type, id, call).catch((thrown: unknown) => {
    throw thrown instanceof Fault ? missingReference(subjectFields[type], thrown) : thrown
  })
  if (found.archived) throw projectArchived('comments')
  return next
}
