import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import type { Task, TaskStatus } from '#contract/tasks.ts'
import { allowedTransitions, draft, applyPatch } from '../../../service/tasks/rules.ts'

const actor = { type: 'api_key', id: 'k1', name: 'Key' } as const
const now = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-02-03T00:00:00.000Z')
const projectId = '0199f0a0-0000-7000-8000-000000000003'
const origin = {
  id: '0199f0a0-0000-7000-8000-000000000001',
  workspaceId: '0199f0a0-0000-7000-8000-000000000002',
  actor,
  now,
}
const open = ['backlog', 'todo', 'in_progress', 'blocked'] as const
const ended = ['done', 'cancelled'] as const
const statuses = [...open, ...ended]

const taskThatIs = (status: TaskStatus): Task => draft({ projectId, title: 'Paint', status }, origin)
const codeOf = (act: () => unknown): string | null => {
  try {
    act()
    return null
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.code : 'no fault'
  }
}

test('a new task is in the backlog, without priority, at version 1', () => {
  expect(draft({ projectId, title: 'Paint' }, origin)).toMatchObject({
    status: 'backlog',
    priority: 'none',
    version: 1,
    completedAt: null,
    parentTaskId: null,
  })
})

test('open states move anywhere, and ended ones to any open state only', () => {
  for (const from of open)
    expect(allowedTransitions(from).toSorted()).toEqual(statuses.filter((to) => to !== from).toSorted())
  for (const from of ended) {
    expect(allowedTransitions(from)).toEqual(open)
    for (const to of ended.filter((status) => status !== from)) {
      expect(codeOf(() => applyPatch(taskThatIs(from), { status: to }, { now: later }))).toBe('invalid_transition')
    }
  }
})

test('completedAt is the moment of completion exactly while a task is done, whatever the path', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...statuses), { maxLength: 20 }), (path) => {
      let task = taskThatIs('backlog')
      for (const [step, status] of path.entries()) {
        const at = new Date(later.getTime() + step)
        const { status: from, completedAt } = task
        if (status === from || allowedTransitions(from).includes(status))
          task = applyPatch(task, { status }, { now: at })
        const expected = task.status !== 'done' ? null : from === 'done' ? completedAt : at.toISOString()
        expect(task.completedAt).toBe(expected)
      }
    }),
  )
})

test('a task that blocks itself, a due date before the start and half an external id are refused', () => {
  const task = taskThatIs('todo')

  for (const patch of [
    { blockedByIds: [task.id] },
    { startDate: '2026-02-01', dueDate: '2026-01-31' },
    { externalSource: 'crm' },
  ]) {
    expect(codeOf(() => applyPatch(task, patch, { now: later }))).toBe('validation_failed')
  }
})
