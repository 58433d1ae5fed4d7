import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Task, TaskStatus } from '#contract/tasks.ts'
import { allowedTransitions, draft, applyPatch } from '../../../service/tasks/rules.ts'
import { codeOf } from '../../support/faults.ts'

const actor = { type: 'api_key', id: 'k1', name: 'Key' } as const
const later = new Date('2026-02-03T00:00:00.000Z')
const origin = { id: 't', workspaceId: 'w', actor, now: new Date('2026-01-02T03:04:05.678Z') }
const open = ['backlog', 'todo', 'in_progress', 'blocked'] as const
const ended = ['done', 'cancelled'] as const
const statuses = [...open, ...ended]

const taskThatIs = (status: TaskStatus): Task => draft({ projectId: 'p', title: 'Paint', status }, origin)

test('a new task is in the backlog, without priority, at version 1', () => {
  const made = { status: 'backlog', priority: 'none', version: 1, completedAt: null, parentTaskId: null }

  expect(draft({ projectId: 'p', title: 'Paint' }, origin)).toMatchObject(made)
})

test('open states move anywhere, and ended ones to any open state only', () => {
  for (const from of open)
    expect(allowedTransitions(from).toSorted()).toEqual(statuses.filter((to) => to !== from).toSorted())
  for (const [from, to] of [ended, ended.toReversed()] as const) {
    expect(allowedTransitions(from)).toEqual(open)
    expect(codeOf(() => applyPatch(taskThatIs(from), { status: to }, { now: later }))).toBe('invalid_transition')
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
        const since = from === 'done' ? completedAt : at.toISOString()
        expect(task.completedAt).toBe(task.status === 'done' ? since : null)
      }
    }),
  )
})

test.each([
  ['a task that blocks itself', { blockedByIds: ['t'] }],
  ['a due date before the start', { startDate: '2026-02-01', dueDate: '2026-01-31' }],
  ['half an external id', { externalSource: 'crm' }],
])('%s is refused', (_what, patch) => {
  expect(codeOf(() => applyPatch(taskThatIs('todo'), patch, { now: later }))).toBe('validation_failed')
})
