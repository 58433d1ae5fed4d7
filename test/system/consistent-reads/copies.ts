// Copies of all that a workspace has, kept as docs/api.md tells integrations to keep them, and the full read that they
// must agree with.
import { operations } from '#contract/api.ts'
import { must, type Answer, type Tenant } from '../../support/system.ts'

type Body = Answer['body']
const copied = ['projects', 'tasks', 'crm-entities', 'documents', 'members'] as const
type Kind = (typeof copied)[number]
/** By kind and id. */
type Objects = Map<string, Body>
export type Copy = { readonly objects: Objects; follow(): Promise<void> }

const nameOf = (kind: string, id: string): string => `${kind} ${id}`
const get = async (tenant: Tenant, path: string): Promise<Body> => must(await tenant.api('GET', `/api/v1${path}`))

/** Archived ones as well, where a list has to be asked for them. */
function archivedToo(kind: Kind): string {
  const list = operations.find(({ name }) => name === `${kind}.list`)
  return list !== undefined && 'includeArchived' in list.input.properties ? '&includeArchived=true' : ''
}

async function pages(tenant: Tenant, path: string): Promise<Body[]> {
  const { data, page } = await get(tenant, path)
  if (page.nextCursor === null) return data
  const start = path.replace(/&cursor=[^&]*/, '')
  return [...data, ...(await pages(tenant, `${start}&cursor=${encodeURIComponent(page.nextCursor)}`))]
}

export async function fullRead(tenant: Tenant): Promise<Objects> {
  const objects: Objects = new Map()
  for (const kind of copied)
    for (const object of await pages(tenant, `/${kind}?limit=200&sort=createdAt${archivedToo(kind)}`))
      objects.set(nameOf(kind, object.id), object)
  return objects
}

/** A project that is deleted takes what is in it out of sight; one that comes back brings it. */
function drop(objects: Objects, kind: string, id: string): void {
  objects.delete(nameOf(kind, id))
  if (kind !== 'projects') return
  for (const [name, { projectId }] of objects)
    if ((name.startsWith('tasks ') || name.startsWith('documents ')) && projectId === id) objects.delete(name)
}

async function readProject(tenant: Tenant, objects: Objects, projectId: string): Promise<void> {
  for (const kind of ['tasks', 'documents'] as const)
    for (const object of await pages(tenant, `/${kind}?projectId=${projectId}&limit=200${archivedToo(kind)}`))
      objects.set(nameOf(kind, object.id), object)
}

/** The feed tells of changes: what was there before it is read once. */
export async function copyByFeed(tenant: Tenant): Promise<Copy> {
  let after = await tenant.lastSequence()
  const objects = await fullRead(tenant)
  async function apply({ type, resource, data }: Body): Promise<void> {
    const [kind = '', what = ''] = type.split('.')
    if (!(copied as readonly string[]).includes(kind) || what.startsWith('comment_')) return
    if (what === 'deleted' || what === 'removed') return drop(objects, kind, resource.id)
    // What was merged into an entity is told beside it.
    const { mergedFromId: _mergedFromId, ...object } = data
    objects.set(nameOf(kind, resource.id), object)
    if (kind === 'projects' && what === 'restored') await readProject(tenant, objects, resource.id)
  }
  async function follow(): Promise<void> {
    const { data, lastSequence, hasMore } = await get(tenant, `/events?after=${after}&limit=200`)
    for (const event of data) await apply(event)
    after = lastSequence
    if (hasMore) await follow()
  }
  return { objects, follow }
}

export function copyByLists(tenant: Tenant): Copy {
  const objects: Objects = new Map()
  const last = new Map<Kind, string>()
  const gone = new Set<string>()
  async function followKind(kind: Kind): Promise<void> {
    const since = last.has(kind) ? `&updatedAfter=${last.get(kind)}` : ''
    const path = `/${kind}?sort=updatedAt&limit=200&includeDeleted=true${archivedToo(kind)}${since}`
    for (const object of await pages(tenant, path)) {
      const name = nameOf(kind, object.id)
      last.set(kind, object.updatedAt ?? object.deletedAt)
      if (object.deletedAt != null) {
        drop(objects, kind, object.id)
        gone.add(name)
        continue
      }
      objects.set(name, object)
      if (kind === 'projects' && gone.delete(name)) await readProject(tenant, objects, object.id)
    }
  }
  const follow = async () => {
    for (const kind of copied) await followKind(kind)
  }
  return { objects, follow }
}

/** In one order, to be compared. */
export const sorted = (objects: Objects): [string, Body][] =>
  [...objects].toSorted(([one], [other]) => (one < other ? -1 : 1))
