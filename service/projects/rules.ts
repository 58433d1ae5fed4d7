// What may happen to a project. Pure: takes values, gives values, throws Faults.
import { Fault } from '#contract/fault.ts'
import type { Actor } from '#contract/fields.ts'
import type { Input } from '#contract/operation.ts'
import type { Project, ProjectStatus, createProject, updateProject } from '#contract/projects.ts'
import { isUnchanged } from '../changes.ts'

type Patch = Omit<Input<typeof updateProject>, 'id' | 'expectedVersion'>
type Origin = {
  readonly id: string
  readonly workspaceId: string
  readonly key: string
  readonly actor: Actor
  readonly now: Date
}

export function place(input: Input<typeof createProject>, { id, workspaceId, key, actor, now }: Origin): Project {
  const at = now.toISOString()
  const project: Project = {
    id,
    object: 'project',
    workspaceId,
    version: 1,
    createdAt: at,
    updatedAt: at,
    createdBy: actor,
    updatedBy: actor,
    deletedAt: null,
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
    externalSource: null,
    externalId: null,
    archivedAt: null,
    ...input,
    key,
    completedAt: input.status === 'completed' ? at : null,
  }
  return consistent(project)
}

/** The project after the patch; the very same value where nothing would change. */
export function revise(project: Project, patch: Patch, actor: Actor, now: Date): Project {
  const status = patch.status ?? project.status
  if (status !== project.status) assertMove(project.status, status)
  const revised = consistent({ ...project, ...patch, completedAt: completedAt(project, status, now) })
  return isUnchanged(project, revised) ? project : touched(revised, actor, now)
}

/** The next version of a project that has changed. */
export const touched = (project: Project, actor: Actor, now: Date): Project => ({
  ...project,
  version: project.version + 1,
  updatedAt: now.toISOString(),
  updatedBy: actor,
})

const open: readonly ProjectStatus[] = ['planned', 'active', 'paused']

export function allowedMoves(from: ProjectStatus): readonly ProjectStatus[] {
  return open.includes(from)
    ? ([...open, 'completed', 'cancelled'].filter((status) => status !== from) as ProjectStatus[])
    : ['active']
}

function assertMove(from: ProjectStatus, to: ProjectStatus): void {
  const allowed = allowedMoves(from)
  if (allowed.includes(to)) return
  throw new Fault('invalid_transition', `A project that is ${from} cannot become ${to}.`, { from, to, allowed })
}

function completedAt(project: Project, status: ProjectStatus, now: Date): string | null {
  if (status !== 'completed') return null
  return project.completedAt ?? now.toISOString()
}

function consistent(project: Project): Project {
  if (project.startDate !== null && project.dueDate !== null && project.dueDate < project.startDate) {
    throw refused('/dueDate', 'Lies before `startDate`.')
  }
  if ((project.externalSource === null) !== (project.externalId === null)) {
    throw refused('/externalId', '`externalSource` and `externalId` are set together or not at all.')
  }
  return project
}

const refused = (pointer: string, detail: string): Fault =>
  new Fault('validation_failed', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'wrong_format', detail }] })
