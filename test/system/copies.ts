// Copies of all that a workspace has, kept as docs/guides/keeping-a-copy.md tells to keep them, and the full read.
import { expect } from 'vitest'
import type { Tenant } from '../support/system.ts'
import { callsOf, type Body } from './calls.ts'

const copied = ['projects', 'tasks', 'crm-entities'] as const
type Kind = (typeof copied)[number]
/** By kind and id. */
type Objects = Map<string, Body>
export type Copy = { readonly objects: Objects; follow(): Promise<void> }

const nameOf = (kind: string, id: string): string => `${kind} ${id}`

/** All pages of a list, archived objects as well where it has to be asked for them. */
async function listed(tenant: Tenant, kind: Kind, query: string): Promise<Body[]> {
  const archived = kind === 'projects' ? '&includeArchived=true' : ''
  const objects: Body[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, page } = await callsOf(tenant).get(`/${kind}?limit=200${archived}&${query}${cursor}`)
    objects.push(...data)
    cursor = page.nextCursor === null ? null : `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
  return objects
}

async function fullRead(tenant: Tenant): Promise<Objects> {
  const objects: Objects = new Map()
  for (const kind of copied)
    for (const object of await listed(tenant, kind, 'sort=createdAt')) objects.set(nameOf(kind, object.id), object)
  return objects
}

/** A project that is deleted takes what is in it out of sight; one that comes back brings it. */
function drop(objects: Objects, kind: string, id: string): void {
  objects.delete(nameOf(kind, id))
  if (kind !== 'projects') return
  for (const [name, { projectId }] of objects) if (name.startsWith('tasks ') && projectId === id) objects.delete(name)
}

async function readProject(tenant: Tenant, objects: Objects, projectId: string): Promise<void> {
  for (const task of await listed(tenant, 'tasks', `projectId=${projectId}`))
    objects.set(nameOf('tasks', task.id), task)
}

/** The feed tells of changes: what was there before it is read once. */
async function copyByFeed(tenant: Tenant): Promise<Copy> {
  let after = await tenant.lastSequence()
  const objects = await fullRead(tenant)
  async function apply({ type, resource, data }: Body): Promise<void> {
    const [kind = '', what = ''] = type.split('.')
    if (what === 'deleted') return drop(objects, kind, resource.id)
    // What was merged into an entity is told beside it.
    const { mergedFromId: _mergedFromId, ...object } = data
    objects.set(nameOf(kind, resource.id), object)
    if (kind === 'projects' && what === 'restored') await readProject(tenant, objects, resource.id)
  }
  async function follow(): Promise<void> {
    const { data, lastSequence, hasMore } = await callsOf(tenant).get(`/events?after=${after}&limit=200`)
    for (const event of data) await apply(event)
    after = lastSequence
    if (hasMore) await follow()
  }
  return { objects, follow }
}

function copyByLists(tenant: Tenant): Copy {
  const objects: Objects = new Map()
  const last = new Map<Kind, string>()
  const gone = new Set<string>()
  async function follow(): Promise<void> {
    for (const kind of copied) {
      const since = last.has(kind) ? `&updatedAfter=${last.get(kind)}` : ''
      for (const object of await listed(tenant, kind, `sort=updatedAt&includeDeleted=true${since}`)) {
        const name = nameOf(kind, object.id)
        last.set(kind, object.updatedAt ?? object.deletedAt)
        if (object.deletedAt == null) {
          objects.set(name, object)
          if (kind === 'projects' && gone.delete(name)) await readProject(tenant, objects, object.id)
        } else {
          drop(objects, kind, object.id)
          gone.add(name)
        }
      }
    }
  }
  return { objects, follow }
}

export const copiesOf = async (tenant: Tenant): Promise<Copy[]> => [await copyByFeed(tenant), copyByLists(tenant)]

/** Each copy, which follows first, agrees with a full read. */
export async function assertAgree(copies: readonly Copy[], tenant: Tenant): Promise<void> {
  const now = await fullRead(tenant)
  for (const copy of copies) {
    await copy.follow()
    expect(copy.objects).toEqual(now)
  }
}
