// The rules of projects. Pure: the functions throw a Fault.
import type { Project, ProjectStatus } from '#contract/projects.ts'
import type { Fields } from '../collection/definition.ts'
import { assertDateOrder, assertExternalIdPair, assertTransition, erasedFields } from '../collection/rules.ts'
import { baseFields, type ChangeContext } from '../execution/system-fields.ts'

type Given = Partial<Project>

export function draft(given: Fields, origin: ChangeContext): Project {
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
    externalIds: [],
    ...input,
    completedAt: input.status === 'completed' ? at : null,
    archivedAt: null,
  })
}

export function applyPatch(before: Project, patch: Fields, { now }: Pick<ChangeContext, 'now'>): Project {
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

/** The id replaces the key, which becomes free for other projects. */
export const erased = (project: Project): Project => ({ ...project, ...erasedFields, key: project.id, name: '' })

const lengthMax = 10
const fallback = 'PRJ'

/**
 * Keys made from the project's name, for a caller who gives none, in order of preference: `Website relaunch` → WR, WEB,
 * WEBS… The last `tries` are random. `random` returns a number in [0, 1).
 */
export function* keyCandidates(name: string, random: () => number, tries: number): Generator<string> {
  const words = plain(name)
    .split(' ')
    .filter((word) => word !== '')
  const letters = words.join('') || fallback
  const base = letters.length < 2 ? `${letters}${fallback}` : letters
  if (words.length > 1)
    yield words
      .map((word) => word.charAt(0))
      .join('')
      .slice(0, lengthMax)
  for (const length of [3, 4, 5]) if (base.length >= length || length === 3) yield base.slice(0, length)
  for (let n = 0; n < tries; n += 1) yield base.slice(0, 4) + suffix(random)
}

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z]+/g, ' ')
    .trim()

const suffix = (random: () => number): string =>
  Array.from({ length: 5 }, () => String.fromCharCode(65 + Math.floor(random() * 26))).join('')
