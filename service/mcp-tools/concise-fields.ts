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
export function picked(object: Fields, names: readonly string[]): Fields {
  const result: Record<string, unknown> = {}
  for (const name of names) if (!isEmpty(object[name])) result[name] = object[name]
  return result
}

/** One object for a reader: without what is empty, and what only its storage is about. */
export const concise = (object: Fields): Fields =>
  picked(
    object,
    Object.keys(object).filter((name) => !ofStorage.has(name)),
  )
