import type { Comment, createTaskComment, deleteTaskComment, updateTaskComment } from '#contract/comments.ts'
import type { Input } from '#contract/operation.ts'
import { newId } from '#runtime/new-id.ts'
import { baseFields, bumpVersion } from '../object-versions/bookkeeping-fields.ts'
import { isUnchanged } from '../object-versions/changed-fields.ts'
import type { Call } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { takeQuota } from '../execution/quotas.ts'
import { findAny, insertRow, notFound, updateRow } from './rows.ts'
import { assertNotArchived, findSubject, type Subject } from './commented-object.ts'

export const create =
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

export const update =
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

export const remove =
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
