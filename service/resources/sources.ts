// The sources of resources: each has its description, the scope that it needs, and the function that writes its text.
// The overview counts objects of each kind, in Markdown; the labels in use are there so that a caller chooses one of
// them instead of another spelling.
import { CustomFieldTarget, customFieldsPerTargetMax } from '#contract/custom-fields.ts'
import type { Resource } from '#contract/resources.ts'
import { covers, type Scope } from '#contract/scopes.ts'
import type { Call, Db } from '../execution/call.ts'
import { findWorkspace } from '../workspaces/rows.ts'
import {
  countsByLabel,
  countsByState,
  newestIn,
  type CountedKind,
  type Kind,
  type LabelledKind,
  type StateCount,
} from './rows.ts'

export type Reader = {
  readonly db: Db
  readonly workspaceId: string
  readonly may: (scope: Scope) => boolean
}

export const readerOf = ({ db, workspaceId, principal }: Call): Reader => ({
  db,
  workspaceId,
  may: (scope) => covers(principal.scopes, scope),
})

type WrittenText = { readonly text: string; readonly updatedAt: Date | null }

export type Source = Omit<Resource, 'object' | 'size' | 'updatedAt'> & {
  /** The scope that reading it needs; null for none. */
  readonly scope: Scope | null
  readonly write: (reader: Reader) => Promise<WrittenText>
}

/** The time at which a row of these kinds has last changed, or was deleted; null when there never was a row. */
async function newestChange({ db, workspaceId }: Reader, kinds: readonly Kind[]): Promise<Date | null> {
  if (kinds.length === 0) return null
  const [row] = await newestIn(db, workspaceId, kinds)
  return row?.at ?? null
}

/** A collection without a title does not compile. */
const sections = {
  projects: 'Projects by status',
  tasks: 'Tasks by status',
  'crm-entities': 'CRM entities by kind, deals by stage',
  documents: 'Documents by status',
  members: 'Members by status',
} satisfies Record<CountedKind, string>
const kinds = Object.keys(sections) as CountedKind[]

export const overview: Source = {
  uri: 'workspace://overview',
  name: 'overview',
  title: 'Overview',
  description: 'Name, time zone and currency of the workspace, and how much of what there is in it.',
  mimeType: 'text/markdown',
  kind: 'overview',
  scope: null,
  write: async (reader) => {
    const { name, timeZone, defaultCurrency, updatedAt } = await findWorkspace(reader.db, reader.workspaceId)
    const shown = kinds.filter((kind) => reader.may(`${kind}:read`))
    const counts = shown.length === 0 ? [] : await countsByState(reader.db, reader.workspaceId, shown)
    const newest = await newestChange(reader, shown)
    const head = `# ${name}\n\nTime zone ${timeZone}, currency ${defaultCurrency}.\n`
    return {
      text: [head, ...shown.map((kind) => written(kind, counts))].join('\n'),
      updatedAt: new Date(Math.max(Date.parse(updatedAt), newest?.getTime() ?? 0)),
    }
  },
}

function written(kind: CountedKind, counts: readonly StateCount[]): string {
  const own = counts.filter((count) => count.kind === kind)
  const lines = own.map(({ state, count }) => `- ${state}: ${count}\n`)
  return `## ${sections[kind]}\n\n${lines.length === 0 ? 'None.\n' : lines.join('')}`
}

const labelsMax = 200

const labelled: readonly LabelledKind[] = ['projects', 'tasks', 'crm-entities']

export const labels: Source = {
  uri: 'workspace://labels',
  name: 'labels',
  title: 'Labels',
  description: `Labels of projects, tasks and CRM entities with how often each is used; the ${labelsMax} most frequent.`,
  mimeType: 'application/json',
  kind: 'labels',
  scope: null,
  write: async (reader) => {
    const kinds = labelled.filter((kind) => reader.may(`${kind}:read`))
    const used = kinds.length === 0 ? [] : await countsByLabel(reader.db, reader.workspaceId, kinds, labelsMax)
    return { text: JSON.stringify({ of: kinds, labels: used }), updatedAt: await newestChange(reader, kinds) }
  },
}

const membersMax = 200

export const members: Source = {
  uri: 'workspace://members',
  name: 'members',
  title: 'Members',
  description: `Who belongs to the workspace, by name; the first ${membersMax} of them. Everybody: GET /members.`,
  mimeType: 'application/json',
  kind: 'members',
  scope: 'members:read',
  write: async (reader) => {
    const where = { workspaceId: reader.workspaceId, deletedAt: null }
    const rows = await reader.db.member.findMany({
      where,
      select: { id: true, name: true, email: true, role: true, status: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
      take: membersMax,
    })
    const total = await reader.db.member.count({ where })
    return { text: JSON.stringify({ total, members: rows }), updatedAt: await newestChange(reader, ['members']) }
  },
}

export const customFields: Source = {
  uri: 'workspace://custom-fields',
  name: 'custom-fields',
  title: 'Custom fields',
  description: 'The keys that `customFields` of projects, tasks and CRM entities takes, with their types and options.',
  mimeType: 'application/json',
  kind: 'custom_fields',
  scope: 'workspaces:read',
  write: async (reader) => {
    const fields = await reader.db.customField.findMany({
      where: { workspaceId: reader.workspaceId, archivedAt: null },
      select: { target: true, key: true, label: true, type: true, options: true, required: true },
      orderBy: [{ target: 'asc' }, { key: 'asc' }],
      take: CustomFieldTarget.enum.length * customFieldsPerTargetMax,
    })
    return {
      text: JSON.stringify({ customFields: fields }),
      updatedAt: await newestChange(reader, ['custom-fields']),
    }
  },
}
