// Random writes of every noun. What is drawn decides what is sent; a write that is refused changes nothing, and counts
// as none.
import fc from 'fast-check'
import type { Tenant } from '../../support/system.ts'

const collections = ['projects', 'tasks', 'crm-entities', 'documents'] as const
type Collection = (typeof collections)[number]
type Noun = Collection | 'members' | 'custom-fields'
/** What there is to act on: ids by kind, deleted ones among them, and the addresses of those. */
export type Known = Partial<Record<Noun | 'deleted', string[]>> & { names: number }
/** The name of a write, and what it acts on. */
export type Draw = { readonly write: string; readonly a: number; readonly b: number; readonly c: number }
type Send = { readonly method: string; readonly path: string; readonly body?: object; readonly noun?: Noun }
type Write = (known: Known, draw: Draw) => Send | null
type Fields = Readonly<Record<'title' | 'list' | 'text' | 'state' | 'entity', string>>

/** What the fields of each kind are called. */
const fieldsOf: Readonly<Record<Collection, Fields>> = {
  projects: { title: 'name', list: 'labels', text: 'description', state: 'status', entity: 'companyId' },
  tasks: { title: 'title', list: 'labels', text: 'description', state: 'status', entity: 'crmEntityIds' },
  'crm-entities': { title: 'name', list: 'labels', text: 'description', state: 'stage', entity: 'companyId' },
  documents: { title: 'title', list: 'tags', text: 'content', state: 'status', entity: 'crmEntityId' },
}
const memberField: Partial<Record<Collection, string>> = {
  projects: 'ownerId',
  tasks: 'assigneeIds',
  'crm-entities': 'ownerId',
}
const states: Readonly<Record<Collection, readonly string[]>> = {
  projects: ['planned', 'active', 'paused', 'completed'],
  tasks: ['todo', 'in_progress', 'done'],
  'crm-entities': ['new', 'qualified', 'won'],
  documents: ['draft', 'published', 'archived'],
}

const one = (ids: readonly string[] = [], n: number): string | undefined => ids[n % Math.max(1, ids.length)]
const any = <T>(values: readonly T[], n: number): T => values[n % values.length]!
/** Never the same twice, so that a search finds the one object. */
const newName = (known: Known): string => `Zebra${(known.names += 1)}x`

const create: Write = (known, { a, b, c }) => {
  const noun = any(collections, a)
  const projectId = one(known.projects, b)
  const named = { [fieldsOf[noun].title]: newName(known) }
  const post = (body: object): Send => ({ method: 'POST', path: `/${noun}`, body, noun })
  // Entities of one kind can be merged: companies are made most often.
  const kind = any(['company', 'company', 'company', 'contact', 'deal'], c)
  if (noun === 'crm-entities') return post(kind === 'contact' ? { kind, firstName: named['name'] } : { kind, ...named })
  if (noun === 'projects' || (noun === 'documents' && c % 2 === 1)) return post(named)
  return projectId === undefined ? null : post({ ...named, projectId })
}

const change: Write = (known, { a, b, c }) => {
  const noun = any(collections, a)
  const id = one(known[noun], b)
  const { title, list, text, state, entity } = fieldsOf[noun]
  const naming = (field: string | undefined, of: string | undefined): object | null =>
    field === undefined || of === undefined ? null : { [field]: field.endsWith('Ids') ? [of] : of }
  const body = any(
    [
      { [list]: [`l${c % 5}`] },
      { [state]: any(states[noun], c) },
      { [text]: `Words ${c}` },
      { [title]: newName(known) },
      naming(memberField[noun], one(known.members, c)),
      naming(entity, one(known['crm-entities'], c)),
      noun === 'documents' ? null : { customFields: { size: c % 2 === 0 ? 'large' : 'small' } },
    ],
    c,
  )
  return body === null || id === undefined ? null : { method: 'PATCH', path: `/${noun}/${id}`, body }
}

/** `at`: what follows the address of the object. */
const onOne =
  (noun: Noun, send: (draw: Draw) => { method: string; at?: string; body?: object }): Write =>
  (known, draw) => {
    const id = one(known[noun], draw.b)
    const { method, at = '', body } = send(draw)
    return id === undefined ? null : { method, path: `/${noun}/${id}${at}`, ...(body && { body }) }
  }

const keys = ['ABC', 'KCA', 'WEB', 'ZED', 'QQQ', 'OPS']
const writes: Readonly<Record<string, Write>> = {
  create,
  change,
  rekey: onOne('projects', ({ c }) => ({ method: 'PATCH', body: { key: any(keys, c) } })),
  archive: onOne('projects', ({ c }) => ({ method: 'POST', at: any(['/archive', '/unarchive'], c) })),
  remove: (known, draw) => onOne(any(collections, draw.a), () => ({ method: 'DELETE' }))(known, draw),
  restore: ({ deleted }, { b }) => {
    const path = one(deleted, b)
    return path === undefined ? null : { method: 'POST', path: `${path}/restore` }
  },
  move: (known, draw) => {
    const projectId = one(known.projects, draw.c)
    const noun = any(['documents', 'tasks', 'tasks'] as const, draw.a)
    return projectId === undefined ? null : onOne(noun, () => ({ method: 'PATCH', body: { projectId } }))(known, draw)
  },
  merge: (known, draw) => {
    const sourceId = one(known['crm-entities'], draw.c)
    return onOne('crm-entities', () => ({ method: 'POST', at: '/merge', body: { sourceId } }))(known, draw)
  },
  comment: onOne('tasks', ({ c }) => ({ method: 'POST', at: '/comments', body: { body: `Said ${c}` } })),
  batch: (known, { a, b, c }) => {
    const [first, second] = [one(known.projects, a), one(known.projects, b)]
    if (first === undefined || second === undefined) return null
    const update = (id: string, data: object) => ({ action: 'update', id, data })
    const other = c % 3 === 0 ? { action: 'delete', id: second } : update(second, { name: newName(known) })
    const items = [update(first, { labels: [`b${c % 7}`] }), other]
    return { method: 'POST', path: '/projects/batch', body: { items } }
  },
  member: (known, { a, c }) => {
    const [id, name] = [one(known.members, a), newName(known)]
    if (id === undefined || c % 3 === 0)
      return { method: 'POST', path: '/members', body: { name, email: `${name}@example.com` }, noun: 'members' }
    const path = `/members/${id}`
    return c % 3 === 1 ? { method: 'PATCH', path, body: { name } } : { method: 'DELETE', path }
  },
  customField: (known, { a, c }) => {
    const id = one(known['custom-fields'], a)
    const target = any(['project', 'task', 'company', 'contact', 'deal'], a)
    const body = { key: 'size', label: 'Size', target, type: 'select', options: ['small', 'large'] }
    if (id === undefined || c % 4 === 0) return { method: 'POST', path: '/custom-fields', body, noun: 'custom-fields' }
    const path = `/custom-fields/${id}`
    if (c % 4 === 1) return { method: 'PATCH', path, body: { options: ['small', `other${c}`] } }
    return c % 4 === 2 ? { method: 'DELETE', path } : { method: 'POST', path: `${path}/unarchive` }
  },
}
/** Each of them so often in one life. */
const often: Readonly<Record<string, number>> = { create: 4, change: 9 }
const usually = 2
export const inOneLife = Object.keys(writes).flatMap((name) => Array<string>(often[name] ?? usually).fill(name))

/** Two projects, three tasks, two companies and a document: something for every write to act on. */
export const beginning: readonly Draw[] = [0, 0, 1, 1, 1, 2, 2, 3].map((a, b) => ({ write: 'create', a, b, c: 1 }))

// Unbiased: what stands at either end of the range is drawn no more often than the rest.
const nat = fc.noBias(fc.nat(10_000))

/** The writes in any order, each on whatever is drawn for it. */
export const life: fc.Arbitrary<Draw[]> = fc
  .shuffledSubarray(inOneLife, { minLength: inOneLife.length })
  .chain((names) => fc.tuple(...names.map((write) => fc.record({ write: fc.constant(write), a: nat, b: nat, c: nat }))))

/** Members and custom fields are changed by the operator, all else with the tenant's key. */
const isOfSettings = (path: string): boolean => path.startsWith('/members') || path.startsWith('/custom-fields')

/** Sends it. Gives what was asked, and the status of the answer; null where there is nothing to act on yet. */
export async function act(known: Known, draw: Draw, tenant: Tenant): Promise<{ asked: string; status: number } | null> {
  const send = writes[draw.write]?.(known, draw) ?? null
  if (send === null) return null
  const { method, path, body: sent, noun } = send
  const { status, body } = isOfSettings(path)
    ? await tenant.settings(method, path, sent)
    : await tenant.api(method, `/api/v1${path}`, sent)
  if (status === 201 && noun !== undefined) (known[noun] ??= []).push(body.id)
  if (status === 204 && !isOfSettings(path)) (known.deleted ??= []).push(path)
  return { asked: `${method} ${path} ${JSON.stringify(sent) ?? ''} ${status} ${body?.code ?? ''}`, status }
}
