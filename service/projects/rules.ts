// What may happen to a project. Pure: the functions throw a Fault.
import type { Project, ProjectStatus } from '#contract/projects.ts'
import type { Fields } from '../collection/resource.ts'
import { assertDateOrder, assertExternalIdPair, assertTransition, erasedFields } from '../collection/shared-rules.ts'
import { type Origin, baseFields } from '../object-versions/bookkeeping-fields.ts'

type Given = Partial<Project>

export function draft(given: Fields, origin: Origin): Project {
  const at = origin.now.toISOString()
  const input = given as Given & Pick<Project, 'name'>
  return consistent({
    ...baseFields('project', origin),
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

export function applyPatch(before: Project, patch: Fields, { now }: Pick<Origin, 'now'>): Project {
  const next = { ...before, ...(patch as Given) }
  assertTransition('project', before.status, next.status, allowedTransitions(before.status))
  return consistent({ ...next, completedAt: completedAt(before, next.status, now) })
}

const open: readonly ProjectStatus[] = ['planned', 'active', 'paused']
const ended: readonly ProjectStatus[] = ['completed', 'cancelled']

export const allowedTransitions = (from: ProjectStatus): readonly ProjectStatus[] =>
  open.includes(from) ? [...open, ...ended].filter((status) => status !== from) : ['active']

function completedAt({ completedAt: since }: Project, status: ProjectStatus, now: Date): string | null {
  if (status !== 'completed') return null
  return since ?? now.toISOString()
}

function consistent(project: Project): Project {
  assertDateOrder(project)
  assertExternalIdPair(project)
  return project
}

/** The id takes the place of the key, which becomes free for other projects. */
export const erased = (project: Project): Project => ({ ...project, ...erasedFields, key: project.id, name: '' })
