// What may become of projects and tasks, and the keys and slugs that are made of names.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Project } from '#contract/projects.ts'
import type { Task } from '#contract/tasks.ts'
import * as projects from '../../../service/projects/rules.ts'
import * as tasks from '../../../service/tasks/rules.ts'
import { slugCandidates } from '../../../service/workspaces/rules.ts'
import { codeOf } from '../../support/faults.ts'

const actor = { type: 'api_key', id: 'k1', name: 'Key' } as const
const now = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-02-03T00:00:00.000Z')
const origin = { id: 'o', workspaceId: 'w', actor, now }

const project = (given: object = {}): Project => projects.draft({ name: 'Website', ...given }, origin)
const task = (given: object = {}): Task => tasks.draft({ projectId: 'p', title: 'Paint', ...given }, origin)
const ofProjects = {
  made: project,
  first: { status: 'planned', priority: 'none', version: 1, completedAt: null },
  open: ['planned', 'active', 'paused'],
  done: 'completed',
  afterEnd: ['active'],
  changed: projects.applyPatch,
  allowed: projects.allowedTransitions,
}
const ofTasks = {
  made: task,
  first: { status: 'backlog', priority: 'none', version: 1, completedAt: null, parentTaskId: null },
  open: ['backlog', 'todo', 'in_progress', 'blocked'],
  done: 'done',
  afterEnd: ['backlog', 'todo', 'in_progress', 'blocked'],
  changed: tasks.applyPatch,
  allowed: tasks.allowedTransitions,
}
type Rules<T> = Omit<typeof ofTasks, 'made' | 'changed' | 'allowed'> & {
  readonly made: (given?: object) => T
  readonly changed: (before: T, patch: object, at: { now: Date }) => T
  readonly allowed: (from: never) => readonly string[]
}
type Either = Pick<Task, 'completedAt'> & { readonly status: string }

describe.each([
  ['project', ofProjects as unknown as Rules<Either>],
  ['task', ofTasks as unknown as Rules<Either>],
])('a %s', (_noun, { made, first, open, done, afterEnd, changed, allowed }) => {
  const ended = [done, 'cancelled']
  const statuses = [...open, ...ended]

  test('is at the beginning when it is new, without priority, at version 1', () => {
    expect(made()).toMatchObject(first)
  })

  test('moves freely while it is open, and to either end; an ended one can only be opened again', () => {
    for (const from of open)
      expect(allowed(from as never).toSorted()).toEqual(statuses.filter((to) => to !== from).toSorted())
    for (const from of ended) expect(allowed(from as never)).toEqual(afterEnd)
    for (const from of statuses)
      for (const to of statuses.filter((status) => status !== from)) {
        const code = codeOf(() => changed(made({ status: from }), { status: to }, { now: later }))
        expect([from, to, code]).toEqual([from, to, allowed(from as never).includes(to) ? null : 'invalid_transition'])
      }
  })

  test('has the moment of its completion exactly while it is completed, whatever the path', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...statuses), { maxLength: 20 }), (path) => {
        let one = made()
        for (const [step, status] of path.entries()) {
          const at = new Date(later.getTime() + step)
          const { status: from, completedAt } = one
          if (status === from || allowed(from as never).includes(status)) one = changed(one, { status }, { now: at })
          expect(one.completedAt).toBe(one.status !== done ? null : from === done ? completedAt : at.toISOString())
        }
      }),
    )
  })

  test.each([
    ['a due date before the start date', { startDate: '2026-02-01', dueDate: '2026-01-31' }, 'validation_failed'],
    ['an external id without its source', { externalId: '1' }, 'validation_failed'],
    ['a source without an external id', { externalSource: 'crm' }, 'validation_failed'],
    ['both of these', { externalId: '1', externalSource: 'crm' }, null],
  ])('with %s: %j is refused with %s, new and changed', (_what, given, code) => {
    expect([codeOf(() => made(given)), codeOf(() => changed(made(), given, { now: later }))]).toEqual([code, code])
  })
})

test('a task that blocks itself is refused', () => {
  expect(codeOf(() => tasks.applyPatch(task(), { blockedByIds: ['o'] }, { now: later }))).toBe('validation_failed')
})

test('a patch that changes nothing gives an equal project; version and author are left to whoever saves it', () => {
  const before = project({ labels: ['a'] })

  expect(projects.applyPatch(before, { name: 'Website', labels: ['a'] }, { now: later })).toEqual(before)
  expect(projects.applyPatch(before, { name: 'Other' }, { now: later })).toEqual({ ...before, name: 'Other' })
})

const never = () => 0

test('keys are initials first, then the first letters; accents are dropped and other scripts fall back', () => {
  const keys = (name: string) => [...projects.keyCandidates(name, never, 0)]

  expect(keys('Website relaunch')).toEqual(['WR', 'WEB', 'WEBS', 'WEBSI'])
  expect([keys('Élan')[0], keys('日本')[0]]).toEqual(['ELA', 'PRJ'])
})

test('slugs are the name in ASCII letters, then with a number, then with random letters', () => {
  const slugs = [...slugCandidates('Café Olé & Söhne', never, 1)]

  expect(slugs.slice(0, 3)).toEqual(['cafe-ole-sohne', 'cafe-ole-sohne-2', 'cafe-ole-sohne-3'])
  expect(slugs.slice(-2)).toEqual(['cafe-ole-sohne-9', 'cafe-ole-sohne-aaaaaaaa'])
  expect([...slugCandidates('日本', never, 0)][0]).toBe('workspace')
})

test('every candidate is a key or a slug, whatever the name', () => {
  const name = fc.oneof(
    ...(['binary', 'grapheme'] as const).map((unit) => fc.string({ unit, minLength: 1, maxLength: 200 })),
  )
  fc.assert(
    fc.property(name, (given) => {
      for (const key of projects.keyCandidates(given, Math.random, 3)) expect(key).toMatch(/^[A-Z]{2,10}$/)
      for (const slug of slugCandidates(given, Math.random, 5))
        expect(slug).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/)
    }),
    { numRuns: 200 },
  )
})
