// Random writes of every noun. What is drawn decides what is sent; a write that is refused changes nothing, and counts as
// none.
import fc from 'fast-check'
import type { Answer, Tenant } from '../../support/system.ts'

type Body = Answer['body']
/** What there is to act on: ids by kind, deleted ones among them. */
export type Known = Record<Noun, string[]> & { names: number; readonly deleted: string[] }
export const nouns = ['projects', 'tasks', 'crm-entities', 'documents', 'members', 'custom-fields'] as const
export type Noun = (typeof nouns)[number]
export type Draw = { readonly write: number; readonly a: number; readonly b: number; readonly c: number }
type Send = { method: string; path: string; body?: object; noun?: Noun }
type Write = (known: Known, draw: Draw) => Send | null

/** Two projects, three tasks, two companies and a document: something for every write to act on. */
export const beginning: readonly Draw[] = [0, 0, 1, 1, 1, 2, 2, 3].map((a, b) => ({ write: 0, a, b, c: 1 }))

export const nothingKnown = (): Known => ({
  ...{ projects: [], tasks: [], 'crm-entities': [], documents: [], members: [], 'custom-fields': [] },
  ...{ names: 0, deleted: [] },
})
// Unbiased: what stands at either end of the range is drawn no more often than the rest.
const nat = fc.noBias(fc.nat(10_000))
export const draws = fc.record({ write: nat, a: nat, b: nat, c: nat })

const one = (ids: readonly string[], n: number): string | undefined => ids[n % Math.max(1, ids.length)]
const titled = (noun: Noun): string => (noun === 'tasks' || noun === 'documents' ? 'title' : 'name')
const keys = ['ABC', 'KCA', 'WEB', 'ZED', 'QQQ', 'OPS']
const statuses = {
  projects: ['planned', 'active', 'paused', 'completed'],
  tasks: ['todo', 'in_progress', 'done'],
  'crm-entities': ['new', 'qualified', 'won'],
  documents: ['draft', 'published', 'archived'],
} as const
const collections = ['projects', 'tasks', 'crm-entities', 'documents'] as const
const crm = ['company', 'contact', 'deal'] as const

/** Never the same twice, so that a search finds the one object. */
const newName = (known: Known): string => `Zebra${(known.names += 1)}x`

const create: Write = (known, { a, b, c }) => {
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

const change: Write = (known, { a, b, c }) => {
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

const onOne =
  (noun: Noun, send: (id: string, draw: Draw, known: Known) => Omit<Send, 'path'> & { path?: string }): Write =>
  (known, draw) => {
    const id = one(known[noun], draw.b)
    if (id === undefined) return null
    const { path = '', ...rest } = send(id, draw, known)
    return { path: `/${noun}/${id}${path}`, ...rest }
  }

const rekey = onOne('projects', (_id, { c }) => ({ method: 'PATCH', body: { key: keys[c % keys.length] } }))
const archive = onOne('projects', (_id, { c }) => ({ method: 'POST', path: c % 2 === 0 ? '/archive' : '/unarchive' }))
const remove: Write = (known, draw) =>
  onOne(collections[draw.a % 4] ?? 'projects', () => ({ method: 'DELETE' }))(known, draw)
const restore: Write = ({ deleted }, { b }) => {
  const path = one(deleted, b)
  return path === undefined ? null : { method: 'POST', path: `${path}/restore` }
}
const move: Write = (known, draw) => {
  const projectId = one(known.projects, draw.c)
  const noun = draw.a % 3 === 0 ? 'documents' : 'tasks'
  return projectId === undefined ? null : onOne(noun, () => ({ method: 'PATCH', body: { projectId } }))(known, draw)
}
const merge: Write = (known, draw) => {
  const sourceId = one(known['crm-entities'], draw.c)
  return sourceId === undefined
    ? null
    : onOne('crm-entities', () => ({ method: 'POST', path: '/merge', body: { sourceId } }))(known, draw)
}
const comment = onOne('tasks', (_id, { c }) => ({ method: 'POST', path: '/comments', body: { body: `Said ${c}` } }))
const batch: Write = (known, { a, b, c }) => {
  const [first, second] = [one(known.projects, a), one(known.projects, b)]
  if (first === undefined || second === undefined) return null
  const items = [
    { action: 'update', id: first, data: { labels: [`b${c % 7}`] } },
    { action: c % 3 === 0 ? 'delete' : 'update', id: second, ...(c % 3 !== 0 && { data: { name: newName(known) } }) },
  ]
  return { method: 'POST', path: '/projects/batch', body: { items } }
}
const member: Write = (known, { a, c }) => {
  const id = one(known.members, a)
  if (id === undefined || c % 3 === 0) {
    const name = newName(known)
    return { method: 'POST', path: '/members', body: { name, email: `${name}@example.com` }, noun: 'members' }
  }
  const path = `/members/${id}`
  return c % 3 === 1 ? { method: 'PATCH', path, body: { name: newName(known) } } : { method: 'DELETE', path }
}
const customField: Write = (known, { a, c }) => {
  const id = one(known['custom-fields'], a)
  if (id === undefined || c % 4 === 0) {
    const target = ['project', 'task', 'company', 'contact', 'deal'][a % 5]
    const body = { key: 'size', label: 'Size', target, type: 'select', options: ['small', 'large'] }
    return { method: 'POST', path: '/custom-fields', body, noun: 'custom-fields' }
  }
  if (c % 4 === 1) return { method: 'PATCH', path: `/custom-fields/${id}`, body: { options: ['small', `other${c}`] } }
  const path = `/custom-fields/${id}`
  return c % 4 === 2 ? { method: 'DELETE', path } : { method: 'POST', path: `${path}/unarchive` }
}

export const writes: Readonly<Record<string, Write>> = {
  ...{ create, change, rekey, archive, remove, restore, move, merge, comment, batch, member, customField },
}
/** Creating and changing more often than the rest, so that there is something to act on. */
const weighted = [...Object.keys(writes), 'create', 'create', 'create', 'change', 'change', 'change']

export const nameOfWrite = ({ write }: Draw): string => weighted[write % weighted.length] ?? ''

/** Members and custom fields are changed by the operator, all else with the tenant's key. */
const isOfSettings = (path: string): boolean => path.startsWith('/members') || path.startsWith('/custom-fields')

/** Sends it. Gives what was asked, and the answer; null where there is nothing to act on yet. */
export async function act(
  known: Known,
  draw: Draw,
  tenant: Tenant,
): Promise<{ asked: string; status: number; body: Body } | null> {
  const send = writes[nameOfWrite(draw)]?.(known, draw) ?? null
  if (send === null) return null
  const { method, path, body: sent, noun } = send
  const { status, body } = isOfSettings(path)
    ? await tenant.settings(method, path, sent)
    : await tenant.api(method, `/api/v1${path}`, sent)
  if (status === 201 && noun !== undefined) known[noun].push(body.id)
  if (status === 204 && !isOfSettings(path)) known.deleted.push(path)
  return { asked: `${method} ${path} ${JSON.stringify(sent) ?? ''} ${status} ${body?.code ?? ''}`, status, body }
}
