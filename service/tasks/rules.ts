// What may happen to a task. Pure: takes values, gives values, throws Faults.
import type { Task, TaskStatus } from '#contract/tasks.ts'
import type { Fields, Origin } from '../collection/definition.ts'
import { assertDates, assertExternal, assertMove, begun, emptied, refuse } from '../collection/rules.ts'

type Given = Partial<Task>

/** Number, identifier and place among others are settled with the project. */
export function place(given: Fields, origin: Origin): Task {
  const input = given as Given & Pick<Task, 'projectId' | 'title'>
  return consistent({
    ...begun('task', origin),
    number: 0,
    identifier: '',
    description: null,
    status: 'backlog',
    priority: 'none',
    assigneeIds: [],
    parentTaskId: null,
    blockedByIds: [],
    crmEntityIds: [],
    labels: [],
    startDate: null,
    dueDate: null,
    estimateMinutes: null,
    position: 0,
    customFields: {},
    externalSource: null,
    externalId: null,
    ...input,
    completedAt: input.status === 'done' ? origin.now.toISOString() : null,
  })
}

export function revise(before: Task, patch: Fields, { now }: Pick<Origin, 'now'>): Task {
  const next = { ...before, ...(patch as Given) }
  assertMove('task', before.status, next.status, allowedMoves(before.status))
  return consistent({ ...next, completedAt: completedAt(before, next.status, now) })
}

const open: readonly TaskStatus[] = ['backlog', 'todo', 'in_progress', 'blocked']
const ended: readonly TaskStatus[] = ['done', 'cancelled']

export const allowedMoves = (from: TaskStatus): readonly TaskStatus[] =>
  open.includes(from) ? [...open, ...ended].filter((status) => status !== from) : open

function completedAt({ completedAt: since }: Task, status: TaskStatus, now: Date): string | null {
  if (status !== 'done') return null
  return since ?? now.toISOString()
}

function consistent(task: Task): Task {
  assertDates(task)
  assertExternal(task)
  if (task.blockedByIds.includes(task.id)) refuse('blockedByIds', 'not_in_list', 'A task cannot block itself.')
  return task
}

export const wiped = (gone: Task): Task => ({ ...gone, ...emptied, title: '' })
