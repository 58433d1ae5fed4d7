// Random writes of the fields of objects.
import { collections, newName, one, titled, type Write } from './known.ts'

const statuses = {
  projects: ['planned', 'active', 'paused', 'completed'],
  tasks: ['todo', 'in_progress', 'done'],
  'crm-entities': ['new', 'qualified', 'won'],
  documents: ['draft', 'published', 'archived'],
} as const
const crm = ['company', 'contact', 'deal'] as const

export const create: Write = (known, { a, b, c }) => {
  const noun = collections[a % 4] ?? 'projects'
  const project = one(known.projects, b)
  if (noun === 'tasks' && project === undefined) return null
  // Entities of one kind can be merged.
  const kind = crm[Math.max(0, (c % 5) - 2)]
  const name = newName(known)
  const body = {
    ...(noun === 'crm-entities'
      ? kind === 'contact'
        ? { kind, firstName: name }
        : { kind, name }
      : { [titled(noun)]: name }),
    ...((noun === 'tasks' || (noun === 'documents' && c % 2 === 0)) && project !== undefined && { projectId: project }),
  }
  return { method: 'POST', path: `/${noun}`, body, noun }
}

export const change: Write = (known, { a, b, c }) => {
  const noun = collections[a % 4] ?? 'projects'
  const id = one(known[noun], b)
  if (id === undefined) return null
  const member = one(known.members, c)
  const entity = one(known['crm-entities'], c)
  const bodies: (object | null)[] = [
    { [noun === 'documents' ? 'tags' : 'labels']: [`l${c % 5}`] },
    { [noun === 'crm-entities' ? 'stage' : 'status']: statuses[noun][c % statuses[noun].length] },
    noun === 'documents' ? { content: `Words ${c}` } : { description: `Words ${c}` },
    { [titled(noun)]: newName(known) },
    member === undefined
      ? null
      : noun === 'tasks'
        ? { assigneeIds: [member] }
        : noun === 'documents'
          ? null
          : { ownerId: member },
    entity === undefined
      ? null
      : noun === 'tasks'
        ? { crmEntityIds: [entity] }
        : noun === 'projects'
          ? { companyId: entity }
          : noun === 'documents'
            ? { crmEntityId: entity }
            : { companyId: entity },
    noun === 'documents' ? null : { customFields: { size: c % 2 === 0 ? 'large' : 'small' } },
  ]
  const body = bodies[c % bodies.length]
  return body ? { method: 'PATCH', path: `/${noun}/${id}`, body } : null
}
