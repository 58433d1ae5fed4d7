// Objects as text for models: rows below one line of names, or one value a line. Fields without a value are left out.
// Unless the caller asks for others, an answer has the fields by which an agent tells objects apart, and acts on. Pure.
import type { CollectionSegment } from '#contract/scopes.ts'

export type Fields = Readonly<Record<string, unknown>>

/** One row an object, below the names of the fields that at least one of them has. */
export function rows(objects: readonly Fields[]): string {
  const names = [...namesOf(objects)]
  return [names.join(' | '), ...objects.map((each) => names.map((name) => cell(each[name])).join(' | '))].join('\n')
}

function namesOf(objects: readonly Fields[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const each of objects) {
    for (const name of Object.keys(each)) if (!names.has(name) && !isEmpty(each[name])) names.add(name)
  }
  return names
}

/** One line a field. */
export const lines = (object: Fields): string =>
  Object.entries(object)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join('\n')

/** Null, an empty list, an empty object. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

function cell(value: unknown): string {
  const text = valueText(value)
  return unlikeCell.test(text) ? text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|') : text
}

/** Most values are as a cell has them, and rows are written often. */
const unlikeCell = /[^\S ]| {2}|\|/

function valueText(value: unknown): string {
  if (isEmpty(value)) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return typeof value === 'object' ? inline(value as Fields) : JSON.stringify(value)
}

const inline = (object: Fields): string =>
  `{${Object.entries(object)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join('; ')}}`

/** In lists, and in the answers of changes. */
export const conciseFields: Readonly<Record<CollectionSegment, readonly string[]>> = {
  projects: ['id', 'key', 'name', 'status', 'health', 'priority', 'ownerId', 'companyId', 'dueDate', 'version'],
  tasks: ['id', 'identifier', 'title', 'status', 'priority', 'assigneeIds', 'projectId', 'dueDate', 'version'],
  'crm-entities': [
    'id',
    'kind',
    'name',
    'jobTitle',
    'stage',
    'amount',
    'expectedCloseDate',
    'emails',
    'domains',
    'companyId',
    'ownerId',
    'version',
  ],
  documents: ['id', 'title', 'status', 'folder', 'tags', 'projectId', 'crmEntityId', 'updatedAt', 'version'],
}

// Of one object, all but these, which are about its storage.
const ofStorage = new Set([
  'object',
  'workspaceId',
  'createdAt',
  'createdBy',
  'updatedBy',
  'number',
  'position',
  'checksum',
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
