// A copy of all projects in a file. Each run fetches what has changed since the last one, deletions included: run it as
// often as you like. The first run fetches everything.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { each } from './client.ts'

type Project = { id: string; name: string; version: number; updatedAt: string }
/** What is left of a deleted one. */
type Tombstone = { id: string; version: number; deletedAt: string }
type Copy = { updatedAfter: string; projects: Record<string, Project> }

const file = process.env['COPY_FILE'] ?? 'projects.json'
const copy: Copy = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as Copy)
  : { updatedAfter: '1970-01-01T00:00:00.000Z', projects: {} }

const query = { sort: 'updatedAt', updatedAfter: copy.updatedAfter, includeDeleted: true, limit: 200 }
let changed = 0
let deleted = 0
for await (const item of each<Project | Tombstone>('/projects', query)) {
  if ('updatedAt' in item) {
    copy.projects[item.id] = item
    copy.updatedAfter = item.updatedAt
    changed++
  } else {
    delete copy.projects[item.id]
    copy.updatedAfter = item.deletedAt
    deleted++
  }
}

// Written only now, and in one step: a run that was cut short is simply made again.
writeFileSync(`${file}.new`, JSON.stringify(copy, null, 2))
renameSync(`${file}.new`, file)
console.log(`${changed} changed, ${deleted} deleted, ${Object.keys(copy.projects).length} projects in ${file}`)
