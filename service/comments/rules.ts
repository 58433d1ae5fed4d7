// The rules of comments. Pure: the functions throw a Fault.
import type { Comment, CommentedSegment } from '#contract/comments.ts'
import type { Fields } from '../collection/definition.ts'
import { assertExternalIdPair } from '../collection/rules.ts'
import { baseFields, type ChangeContext } from '../execution/system-fields.ts'
import { refuseField } from '../faults/shared-faults.ts'

/** The field that names the object of each kind where a comment is written, and the column that holds its id. */
export const subjectFields = { tasks: 'taskId', projects: 'projectId', 'crm-entities': 'crmEntityId' } as const

type SubjectField = (typeof subjectFields)[CommentedSegment]
type Given = Partial<Pick<Comment, 'body' | 'fileIds' | 'externalSource' | 'externalId' | 'externalIds'>> &
  Partial<Record<SubjectField, string | null>>

export function draft(given: Fields, origin: ChangeContext): Comment {
  const { body, fileIds = [], ...identity } = given as Given & Pick<Comment, 'body'>
  const { externalSource = null, externalId = null, externalIds = [] } = identity
  const subject = subjectIn(given)
  return consistent({
    ...baseFields('comment', origin),
    subject,
    body,
    fileIds,
    externalSource,
    externalId,
    externalIds,
  })
}

export function applyPatch(before: Comment, patch: Fields): Comment {
  const { taskId: _task, projectId: _project, crmEntityId: _crmEntity, ...changed } = patch as Given
  for (const [type, id] of namedIn(patch)) {
    if (type === before.subject.type && id === before.subject.id) continue
    refuseField(subjectFields[type], 'read_only', 'A comment stays on its object.')
  }
  return consistent({ ...before, ...changed })
}

export const erased = (comment: Comment): Comment => ({
  ...comment,
  body: '',
  fileIds: [],
  externalSource: null,
  externalId: null,
  externalIds: [],
})

function consistent(comment: Comment): Comment {
  assertExternalIdPair(comment)
  return comment
}

function subjectIn(given: Given): Comment['subject'] {
  const [first, second] = namedIn(given)
  if (first === undefined)
    refuseField('taskId', 'required', 'One of `taskId`, `projectId` and `crmEntityId` is needed.')
  if (second !== undefined) refuseField(subjectFields[second[0]], 'not_in_list', 'A comment is on one object alone.')
  return { type: first[0], id: first[1] }
}

/** What the input says that the comment is on. */
const namedIn = (given: Given): [CommentedSegment, string][] =>
  Object.entries(subjectFields).flatMap(([type, field]): [CommentedSegment, string][] => {
    const id = given[field] ?? null
    return id === null ? [] : [[type as CommentedSegment, id]]
  })
