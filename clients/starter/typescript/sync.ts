// A copy of all projects, tasks, CRM entities, documents (without their content) and comments in a file. Each run
// fetches what has changed since the last one, deletions included: run it as often as you like, at least every 30 days.
// The first run fetches everything.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { api } from './client.ts'

type Commented = 'projects' | 'tasks' | 'crm-entities'
type Item = { id: string; version: number; updatedAt: string; deletedAt: null; projectId?: string | null } & {
  subject?: { type: Commented; id: string }
}
/** What is left of a deleted one. */
type Tombstone = { id: string; version: number; deletedAt: string }
type Objects = Record<string, Item>
type Part = { updatedAfter: string; objects: Objects }
type Collection = Commented | 'documents' | 'comments'
/** `goneSince`: by the ids of objects that are deleted or hidden, and have comments. */
type Copy = Record<Collection, Part> & { deletedProjects: string[]; goneSince: Record<string, string> }

const begin = (): Part => ({ updatedAfter: '1970-01-01T00:00:00.000Z', objects: {} })
const file = process.env['COPY_FILE'] ?? 'copy.json'
const empty: Copy = {
  projects: begin(),
  tasks: begin(),
  'crm-entities': begin(),
  documents: begin(),
  comments: begin(),
  deletedProjects: [],
  goneSince: {},
}
const copy: Copy = existsSync(file) ? { ...empty, ...(JSON.parse(readFileSync(file, 'utf8')) as Copy) } : empty

let changed = 0
let deleted = 0

type Query = { sort?: ['updatedAt']; updatedAfter?: string; includeDeleted?: true; projectId?: [string] }
type ItemsOf = (query: Query) => AsyncIterable<unknown>
const limit = 200

/** Archived ones belong to the copy. */
const lists: Record<Collection, ItemsOf> = {
  projects: ({ projectId: _none, ...query }) => api.projects.list({ limit, includeArchived: true, ...query }),
  tasks: (query) => api.tasks.list({ limit, ...query }),
  'crm-entities': ({ projectId: _none, ...query }) => api.crmEntities.list({ limit, ...query }),
  documents: (query) => api.documents.list({ limit, includeArchived: true, ...query }),
  comments: (query) => api.comments.list({ limit, ...query }),
}
/** Of what the API says of an object, the sample needs these fields. */
const each = <T>(collection: Collection, query: Query) => lists[collection](query) as AsyncIterable<T>

/** What has changed in a collection since it was last asked for. */
async function fetchChanges(collection: Collection): Promise<(Item | Tombstone)[]> {
  const part = copy[collection]
  const changes: (Item | Tombstone)[] = []
  const query: Query = { sort: ['updatedAt'], updatedAfter: part.updatedAfter, includeDeleted: true }
  for await (const item of each<Item | Tombstone>(collection, query)) {
    changes.push(item)
    if (item.deletedAt === null) {
      part.objects[item.id] = item
      part.updatedAfter = item.updatedAt
      changed++
    } else {
      delete part.objects[item.id]
      part.updatedAfter = item.deletedAt
      deleted++
    }
  }
  return changes
}

/** A deleted project takes its tasks and documents out of sight; of them nothing is said. */
function dropContents(projectId: string): void {
  for (const { objects } of [copy.tasks, copy.documents])
    for (const item of Object.values(objects)) if (item.projectId === projectId) delete objects[item.id]
}

/** And brings them back as it comes back. */
async function readContents(projectId: string): Promise<void> {
  dropContents(projectId)
  for (const collection of ['tasks', 'documents'] as const)
    for await (const item of each<Item>(collection, { projectId: [projectId] }))
      copy[collection].objects[item.id] = item
}

/** The comments on a deleted object stay, for it may be restored, and go when it can be no more. */
function dropOutdatedComments(): void {
  const isOver = (since: string): boolean => Date.now() - Date.parse(since) > 30 * 86_400_000
  for (const { id, subject } of Object.values(copy.comments.objects)) {
    if (subject === undefined) continue
    if (subject.id in copy[subject.type].objects) delete copy.goneSince[subject.id]
    else if (isOver((copy.goneSince[subject.id] ??= new Date().toISOString()))) delete copy.comments.objects[id]
  }
}

// Projects are asked for until none has changed meanwhile: one that has may have been away while its tasks were read.
for (let round = 0; ; round++) {
  const projects = await fetchChanges('projects')
  if (round > 0 && projects.length === 0) break
  for (const { id, deletedAt } of projects) {
    const wasDeleted = copy.deletedProjects.includes(id)
    copy.deletedProjects = copy.deletedProjects.filter((other) => other !== id)
    if (deletedAt !== null) {
      copy.deletedProjects.push(id)
      dropContents(id)
    } else if (wasDeleted || round > 0) await readContents(id)
  }
  for (const collection of ['tasks', 'crm-entities', 'documents', 'comments'] as const) await fetchChanges(collection)
}
dropOutdatedComments()

// Written only now, and in one step: a run that was cut short is simply made again.
writeFileSync(`${file}.new`, JSON.stringify(copy, null, 2))
renameSync(`${file}.new`, file)
const { deletedProjects: _deleted, goneSince: _gone, ...parts } = copy
const count = Object.values(parts).reduce((sum, { objects }) => sum + Object.keys(objects).length, 0)
console.log(`${changed} changed, ${deleted} deleted, ${count} objects in ${file}`)
