// The rules of tasks. Pure: the functions throw a Fault.
import { openTaskStatuses, type Task, type TaskStatus } from '#contract/tasks.ts'
import type { Fields } from '../collection/definition.ts'
import { assertDateOrder, assertExternalIdPair, assertTransition, erasedFields } from '../collection/rules.ts'
import { refuseField } from '../faults/shared-faults.ts'
import { baseFields, type ChangeContext } from '../execution/system-fields.ts'

type Given = Partial<Task>

/** Number, identifier and position are filled in by `resolve`, which knows the project. */
export function draft(given: Fields, origin: ChangeContext): Task {
  const input = given as Given & Pick<Task, 'projectId' | 'title'>
  return consistent({
    ...baseFields('task', origin),
    number: 0,
    identifier: '',
    description: null,
    status: 'backlog',
    priority: 'none',
    assigneeIds: [],
    parentTaskId: null,
    blockedByIds: [],
    crmEntityIds: [],
    fileIds: [],
    labels: [],
    startDate: null,
    dueDate: null,
    estimateMinutes: null,
    position: 0,
    customFields: {},
    externalSource: null,
    externalId: null,
    externalIds: [],
    ...input,
    completedAt: input.status === 'done' ? origin.now.toISOString() : null,
  })
}

export function applyPatch(before: Task, patch: Fields, { now }: Pick<ChangeContext, 'now'>): Task {
  const next = { ...before, ...(patch as Given) }
  assertTransition('task', before.status, next.status, allowedTransitions(before.status))
  return consistent({ ...next, completedAt: completedAt(before, next.status, now) })
}

const open: readonly TaskStatus[] = openTaskStatuses
const ended: readonly TaskStatus[] = ['done', 'cancelled']

export const allowedTransitions = (from: TaskStatus): readonly TaskStatus[] =>
  open.includes(from) ? [...open, ...ended].filter((status) => status !== from) : open

function completedAt({ completedAt: since }: Task, status: TaskStatus, now: Date): string | null {
  if (status !== 'done') return null
  return since ?? now.toISOString()
}

function consistent(task: Task): Task {
  assertDateOrder(task)
  assertExternalIdPair(task)
  if (task.blockedByIds.includes(task.id)) refuseField('blockedByIds', 'not_in_list', 'A task cannot block itself.')
  return task
}

export const erased = (task: Task): Task => ({ ...task, ...erasedFields, title: '', fileIds: [] })
