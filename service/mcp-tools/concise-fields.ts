// The fields that an answer has unless the caller asks for others: what an agent tells objects apart by, and acts on. Pure.
import type { CollectionSegment } from '#contract/scopes.ts'
import { isEmpty } from './text-rendering.ts'

export type Fields = Readonly<Record<string, unknown>>

/** In lists, and in the answers of changes. */
export const conciseFields: Readonly<Record<CollectionSegment, readonly string[]>> = {
  projects: ['id', 'key', 'name', 'status', 'health', 'priority', 'ownerId', 'companyId', 'dueDate', 'version'],
  tasks: ['id', 'identifier', 'title', 'status', 'priority', 'assigneeIds', 'projectId', 'dueDate', 'version'],
  'crm-entities': [
    ...['id', 'kind', 'name', 'jobTitle', 'stage', 'amount', 'expectedCloseDate'],
    ...['emails', 'domains', 'companyId', 'ownerId', 'version'],
  ],
  documents: ['id', 'title', 'status', 'folder', 'tags', 'projectId', 'crmEntityId', 'updatedAt', 'version'],
}

// Of one object, all but these, which are about its storage.
const ofStorage = new Set([
  ...['object', 'workspaceId', 'createdAt', 'createdBy', 'updatedBy', 'number', 'position', 'checksum'],
])

/** These fields in this order, without those that are empty. */
export const picked = (object: Fields, names: readonly string[]): Fields =>
  present(names.flatMap((name) => (name in object ? [[name, object[name]]] : [])))

/** One object for a reader: without what is empty, and what only its storage is about. */
export const concise = (object: Fields): Fields =>
  present(Object.entries(object).filter(([name]) => !ofStorage.has(name)))

const present = (entries: readonly (readonly [string, unknown])[]): Fields =>
  Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)))
