// Random writes of every noun. What is drawn decides what is sent; a write that is refused changes nothing, and counts
// as none.
import type { Answer, Tenant } from '../../support/system.ts'
import { change, create } from './fields.ts'
import { collections, newName, one, type Draw, type Known, type Noun, type Write, type Send } from './known.ts'

type Body = Answer['body']
const keys = ['ABC', 'KCA', 'WEB', 'ZED', 'QQQ', 'OPS']

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

const writes: Readonly<Record<string, Write>> = {
  create,
  change,
  rekey,
  archive,
  remove,
  restore,
  move,
  merge,
  comment,
  batch,
  member,
  customField,
}
/** Each of them so often in one life. */
const often: Readonly<Record<string, number>> = { create: 4, change: 9 }
const usually = 2
export const inOneLife = Object.keys(writes).flatMap((name) => Array<string>(often[name] ?? usually).fill(name))

/** Members and custom fields are changed by the operator, all else with the tenant's key. */
const isOfSettings = (path: string): boolean => path.startsWith('/members') || path.startsWith('/custom-fields')

/** Sends it. Gives what was asked, and the answer; null where there is nothing to act on yet. */
export async function act(
  known: Known,
  draw: Draw,
  tenant: Tenant,
): Promise<{ asked: string; status: number; body: Body } | null> {
  const send = writes[draw.write]?.(known, draw) ?? null
  if (send === null) return null
  const { method, path, body: sent, noun } = send
  const { status, body } = isOfSettings(path)
    ? await tenant.settings(method, path, sent)
    : await tenant.api(method, `/api/v1${path}`, sent)
  if (status === 201 && noun !== undefined) known[noun].push(body.id)
  if (status === 204 && !isOfSettings(path)) known.deleted.push(path)
  return { asked: `${method} ${path} ${JSON.stringify(sent) ?? ''} ${status} ${body?.code ?? ''}`, status, body }
}
