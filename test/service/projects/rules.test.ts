import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Project, ProjectStatus } from '#contract/projects.ts'
import { allowedTransitions, draft, applyPatch, keyCandidates } from '../../../service/projects/rules.ts'
import { codeOf } from '../../support/faults.ts'

const actor = { type: 'api_key', id: 'k1', name: 'Key' } as const
const now = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-02-03T00:00:00.000Z')
const origin = { id: 'p', workspaceId: 'w', actor, now }
const open = ['planned', 'active', 'paused'] as const
const ended = ['completed', 'cancelled'] as const
const statuses = [...open, ...ended]

const projectThatIs = (status: ProjectStatus): Project => draft({ name: 'Website', status }, origin)

test('a new project is planned, without priority, at version 1', () => {
  const made = { status: 'planned', priority: 'none', version: 1, completedAt: null }

  expect(draft({ name: 'Website' }, origin)).toMatchObject(made)
})

test('open states move freely, and to either end; an ended project can only become active', () => {
  for (const from of open)
    expect(allowedTransitions(from).toSorted()).toEqual(statuses.filter((to) => to !== from).toSorted())
  for (const from of ended) expect(allowedTransitions(from)).toEqual(['active'])
  for (const from of statuses)
    for (const to of statuses.filter((status) => status !== from)) {
      const code = codeOf(() => applyPatch(projectThatIs(from), { status: to }, { now: later }))
      expect([from, to, code]).toEqual([from, to, allowedTransitions(from).includes(to) ? null : 'invalid_transition'])
    }
})

test('completedAt is the moment of completion exactly while a project is completed, whatever the path', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...statuses), { maxLength: 20 }), (path) => {
      let project = projectThatIs('planned')
      for (const [step, status] of path.entries()) {
        const at = new Date(later.getTime() + step)
        const { status: from, completedAt } = project
        if (status === from || allowedTransitions(from).includes(status))
          project = applyPatch(project, { status }, { now: at })
        const since = from === 'completed' ? completedAt : at.toISOString()
        expect(project.completedAt).toBe(project.status === 'completed' ? since : null)
      }
    }),
  )
})

test('a patch that changes nothing gives an equal project; version and author are left to whoever saves it', () => {
  const project = draft({ name: 'Website', labels: ['a'] }, origin)

  expect(applyPatch(project, { name: 'Website', labels: ['a'] }, { now: later })).toEqual(project)
  expect(applyPatch(project, { name: 'Other' }, { now: later })).toEqual({ ...project, name: 'Other' })
})

test.each([
  ['a due date before the start date', { startDate: '2026-02-01', dueDate: '2026-01-31' }, 'validation_failed'],
  ['an external id without its source', { externalId: '1' }, 'validation_failed'],
  ['both of these', { externalId: '1', externalSource: 'crm' }, null],
])('%s: %j is refused with %s', (_what, given, code) => {
  expect(codeOf(() => draft({ name: 'x', ...given }, origin))).toBe(code)
})

test('initials come first, then the first letters; accents are dropped and other scripts fall back', () => {
  const candidates = (name: string) => [...keyCandidates(name, () => 0, 0)]

  expect(candidates('Website relaunch')).toEqual(['WR', 'WEB', 'WEBS', 'WEBSI'])
  expect([candidates('Élan')[0], candidates('日本')[0]]).toEqual(['ELA', 'PRJ'])
})

test('every candidate is a key, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), (name) => {
      for (const key of keyCandidates(name, Math.random, 3)) expect(key).toMatch(/^[A-Z]{2,10}$/)
    }),
  )
})
