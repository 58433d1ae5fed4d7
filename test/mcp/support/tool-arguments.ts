// Arguments with which each tool of the catalogue succeeds, over objects made for them.
import { v7 as uuid } from 'uuid'
import { scopes } from '#contract/scopes.ts'
import { must, type System, type Tenant } from '../../support/system.ts'

export type Made = Readonly<Record<'project' | 'task' | 'account' | 'document' | 'deleted', string>>

/** With a key that acts for a member, so that `me` stands for somebody. */
export async function ownedTenant({ tenant }: Pick<System, 'tenant'>): Promise<Tenant & { readonly ownerId: string }> {
  const made = await tenant()
  const [{ id: ownerId }] = must(await made.settings('GET', '/members')).data
  return { ...(await made.key(scopes, { ownerId, name: 'Agent' })), ownerId }
}

/** One object of each kind, and a task that is deleted; their ids. */
export async function makeObjects({ api }: Tenant): Promise<Made> {
  const make = async (path: string, body: object): Promise<string> => must(await api('POST', `/api/v1${path}`, body)).id
  const project = await make('/projects', { name: 'Website' })
  const account = await make('/crm-entities', { kind: 'company', name: 'Globex' })
  const deleted = await make('/tasks', { projectId: project, title: 'Gone' })
  must(await api('DELETE', `/api/v1/tasks/${deleted}`))
  return {
    project,
    account,
    deleted,
    task: await make('/tasks', { projectId: project, title: 'Call Ada' }),
    document: await make('/documents', { title: 'Notes', content: '# Notes\n\nFirst.\n\n## Plan\n\nSecond.\n' }),
  }
}

/** In the order in which they are called. */
export const toolArguments = ({ project, task, account, document, deleted }: Made) => ({
  whoami: {},
  'search.query': { q: 'Website', limit: 5 },
  'projects.list': { limit: 5, includeTotal: true },
  'projects.get': { id: project, expand: ['owner', 'taskCounts'] },
  'projects.create': { name: 'Relaunch', description: 'The new one' },
  'projects.update': { id: project, status: 'active', idempotencyKey: uuid() },
  'tasks.list': { projectId: [project], sort: ['-updatedAt'], limit: 5 },
  'tasks.get': { id: task, fields: ['title', 'status'] },
  'tasks.create': { projectId: project, title: 'Write to Bob', assigneeIds: ['me'] },
  'tasks.update': { id: task, status: 'in_progress', expectedVersion: 1 },
  'crm-entities.list': { kind: ['company'], limit: 5 },
  'crm-entities.get': { id: account, detail: 'full' },
  'crm-entities.create': { kind: 'contact', firstName: 'Grace', lastName: 'Hopper' },
  'crm-entities.update': { id: account, description: 'Pays late', dryRun: true },
  'documents.list': { limit: 5 },
  'documents.get': { id: document, section: 'Plan' },
  'documents.create': { title: 'Minutes', content: 'We met.' },
  'documents.update': { id: document, edits: [{ find: 'First.', replace: 'Then.' }] },
  'comments.create': { type: 'tasks', id: task, body: 'Called, **no answer**.' },
  'comments.list': { type: 'tasks', id: task },
  'changes.list': { types: ['tasks'], limit: 5 },
  'objects.count': { type: 'tasks', groupBy: ['status'] },
  'objects.restore': { type: 'tasks', ids: [deleted] },
  'objects.bulk': { type: 'tasks', items: [{ action: 'update', id: task, data: { priority: 'high' } }] },
  'objects.delete': { type: 'tasks', ids: [task], dryRun: true },
})

/** By the names that prompts give their arguments. */
export const promptArguments: Readonly<Record<string, string>> = {
  project: 'Website',
  company: 'Globex',
  member: 'ada@example.com',
  notes: 'Ada calls Globex by Friday.',
}
