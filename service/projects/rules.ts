// What may happen to a project. Pure: takes values, gives values, throws Faults.
import type { Project, ProjectStatus } from '#contract/projects.ts'
import type { Fields, Origin } from '../collection/definition.ts'
import { assertDates, assertExternal, assertMove, begun, emptied } from '../collection/rules.ts'

type Given = Partial<Project>

export function place(given: Fields, origin: Origin): Project {
  const at = origin.now.toISOString()
  const input = given as Given & Pick<Project, 'name'>
  return consistent({
    ...begun('project', origin),
    key: '',
    description: null,
    status: 'planned',
    health: null,
    priority: 'none',
    ownerId: null,
    memberIds: [],
    companyId: null,
    labels: [],
    startDate: null,
    dueDate: null,
    customFields: {},
    externalSource: null,
    externalId: null,
    ...input,
    completedAt: input.status === 'completed' ? at : null,
    archivedAt: null,
  })
}

export function revise(before: Project, patch: Fields, { now }: Pick<Origin, 'now'>): Project {
  const next = { ...before, ...(patch as Given) }
  assertMove('project', before.status, next.status, allowedMoves(before.status))
  return consistent({ ...next, completedAt: completedAt(before, next.status, now) })
}

const open: readonly ProjectStatus[] = ['planned', 'active', 'paused']
const ended: readonly ProjectStatus[] = ['completed', 'cancelled']

export const allowedMoves = (from: ProjectStatus): readonly ProjectStatus[] =>
  open.includes(from) ? [...open, ...ended].filter((status) => status !== from) : ['active']

function completedAt({ completedAt: since }: Project, status: ProjectStatus, now: Date): string | null {
  if (status !== 'completed') return null
  return since ?? now.toISOString()
}

function consistent(project: Project): Project {
  assertDates(project)
  assertExternal(project)
  return project
}

/** Its id stands where its key was: that is free for others. */
export const wiped = (gone: Project): Project => ({ ...gone, ...emptied, key: gone.id, name: '' })
