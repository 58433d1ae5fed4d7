import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import type { Project, ProjectStatus } from '#contract/projects.ts'
import { allowedTransitions, draft, applyPatch, keyCandidates } from '../../../service/projects/rules.ts'

const actor = { type: 'api_key', id: 'k1', name: 'Key' } as const
const now = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-02-03T00:00:00.000Z')
const origin = {
  id: '0199f0a0-0000-7000-8000-000000000001',
  workspaceId: '0199f0a0-0000-7000-8000-000000000002',
  actor,
  now,
}
const statuses = ['planned', 'active', 'paused', 'completed', 'cancelled'] as const

const projectThatIs = (status: ProjectStatus): Project => draft({ name: 'Website', status }, origin)
const codeOf = (act: () => unknown): string | null => {
  try {
    act()
    return null
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.code : 'no fault'
  }
}

test('a new project is planned, without priority, at version 1', () => {
  expect(draft({ name: 'Website' }, origin)).toMatchObject({
    status: 'planned',
    priority: 'none',
    version: 1,
    completedAt: null,
  })
})

test('open states move freely, and to either end', () => {
  for (const from of ['planned', 'active', 'paused'] as const) {
    for (const to of statuses)
      expect(codeOf(() => applyPatch(projectThatIs(from), { status: to }, { now: later }))).toBeNull()
  }
})

test('an ended project can only become active', () => {
  for (const from of ['completed', 'cancelled'] as const) {
    expect(allowedTransitions(from)).toEqual(['active'])
    for (const to of statuses.filter((status) => status !== 'active' && status !== from)) {
      expect(codeOf(() => applyPatch(projectThatIs(from), { status: to }, { now: later }))).toBe('invalid_transition')
    }
  }
})

test('completion is stamped, and reopening clears the stamp', () => {
  const completed = applyPatch(projectThatIs('active'), { status: 'completed' }, { now: later })
  const reopened = applyPatch(completed, { status: 'active' }, { now: later })

  expect(completed.completedAt).toBe(later.toISOString())
  expect(reopened.completedAt).toBeNull()
})

test('a patch that changes nothing gives an equal project', () => {
  const project = draft({ name: 'Website', labels: ['a'] }, origin)

  expect(applyPatch(project, { name: 'Website', labels: ['a'] }, { now: later })).toEqual(project)
})

test('version and author are left to whoever saves it', () => {
  const before = projectThatIs('active')

  const { version, updatedAt, updatedBy } = applyPatch(before, { name: 'Other' }, { now: later })

  expect({ version, updatedAt, updatedBy }).toEqual({ version: 1, updatedAt: now.toISOString(), updatedBy: actor })
})

test('a due date before the start date is refused', () => {
  expect(codeOf(() => draft({ name: 'x', startDate: '2026-02-01', dueDate: '2026-01-31' }, origin))).toBe(
    'validation_failed',
  )
})

test('source and external id are set together or not at all', () => {
  expect(codeOf(() => draft({ name: 'x', externalId: '1' }, origin))).toBe('validation_failed')
  expect(codeOf(() => draft({ name: 'x', externalId: '1', externalSource: 'crm' }, origin))).toBeNull()
})

test('completedAt is set exactly while a project is completed, whatever the path', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...statuses), { maxLength: 20 }), (path) => {
      let project = projectThatIs('planned')
      for (const status of path) {
        if (status === project.status || allowedTransitions(project.status).includes(status))
          project = applyPatch(project, { status }, { now: later })
        expect(project.completedAt !== null).toBe(project.status === 'completed')
      }
    }),
  )
})

const never = () => 0

test('initials come first, then the first letters', () => {
  expect([...keyCandidates('Website relaunch', never, 0)]).toEqual(['WR', 'WEB', 'WEBS', 'WEBSI'])
})

test('accents are dropped and other scripts fall back', () => {
  expect([...keyCandidates('Élan', never, 0)][0]).toBe('ELA')
  expect([...keyCandidates('日本', never, 0)][0]).toBe('PRJ')
})

test('every candidate is a key, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), (name) => {
      for (const key of keyCandidates(name, Math.random, 3)) expect(key).toMatch(/^[A-Z]{2,10}$/)
    }),
  )
})
