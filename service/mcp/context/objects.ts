// The objects that are resources: how a list calls each kind and what it shows of it, their lists, and their URIs:
// `workspace://tasks/WEB-42`, and of a part of a document `workspace://documents/<id>?section=2.1` or `?lines=10-80`.
import { operationNamed, type OperationName } from '#contract/api.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { collectionSegments, covers, type CollectionSegment } from '#contract/scopes.ts'
import { invalidParameter } from '../../faults/shared-faults.ts'
import { shortened } from '../../text/json.ts'
import { callOperation, type Exchange } from '../tools/runner.ts'

export type ObjectFields = Readonly<Record<string, unknown>> & { readonly id: string }

type ObjectKind = {
  readonly singular: string
  readonly plural: string
  /** The fields that a list shows. */
  readonly brief: readonly string[]
  readonly titleOf: (object: ObjectFields) => string
}

export const kinds: Readonly<Record<CollectionSegment, ObjectKind>> = {
  projects: {
    singular: 'project',
    plural: 'projects',
    brief: ['key', 'name', 'status', 'health', 'dueDate', 'updatedAt'],
    titleOf: ({ key, name }) => `${String(key)} ${String(name)}`,
  },
  tasks: {
    singular: 'task',
    plural: 'tasks',
    brief: ['identifier', 'title', 'status', 'priority', 'dueDate', 'updatedAt'],
    titleOf: ({ identifier, title }) => `${String(identifier)} ${String(title)}`,
  },
  'crm-entities': {
    singular: 'CRM entity',
    plural: 'companies, contacts and deals',
    brief: ['kind', 'name', 'stage', 'updatedAt'],
    titleOf: ({ name }) => String(name),
  },
  documents: {
    singular: 'document',
    plural: 'documents',
    brief: ['title', 'status', 'folder', 'updatedAt'],
    titleOf: ({ title }) => String(title),
  },
}

/** The name or title of any object, or of a reference to one. */
export const titleIn = ({ title, name }: ObjectFields): string =>
  [title, name].find((each) => typeof each === 'string') ?? ''

/** Those that the key may read, in one order everywhere. */
export const readableSegments = ({ caller }: Exchange): CollectionSegment[] =>
  (Object.keys(kinds) as CollectionSegment[]).filter((segment) => mayRead(segment, caller.principal.scopes))

export const mayRead = (segment: CollectionSegment, held: readonly string[]): boolean =>
  collectionSegments.includes(segment) && covers(held, `${segment}:read`)

type CollectionOperation = Extract<OperationName, `${CollectionSegment}.${'list' | 'get'}`>

export const operationOf = (segment: CollectionSegment, action: 'list' | 'get'): Operation =>
  operationNamed(`${segment}.${action}` satisfies CollectionOperation)

/** The text of a list about an object beside its title: `task, in_progress, due 2026-03-31`. */
export function shortly(
  segment: CollectionSegment,
  { status, stage, kind, health, folder, dueDate }: ObjectFields,
): string {
  const what = typeof kind === 'string' ? kind : kinds[segment].singular
  const due = typeof dueDate === 'string' ? `due ${dueDate}` : null
  return [what, status, stage, health, folder, due].filter((each) => typeof each === 'string').join(', ')
}

export type ObjectList = {
  readonly data: readonly ObjectFields[]
  readonly page: { readonly nextCursor: string | null; readonly total?: number }
}

/** A page with what a list shows of each, newest change first. `input` adds filters, and takes precedence. */
export async function listObjects(
  segment: CollectionSegment,
  input: Readonly<Record<string, unknown>>,
  exchange: Exchange,
): Promise<ObjectList> {
  const asked = { sort: ['-updatedAt'], fields: kinds[segment].brief, ...input }
  const { body } = await callOperation(operationOf(segment, 'list'), asked, exchange)
  // The output of every list: a page of objects with their ids.
  return body as ObjectList
}

type Lines = { readonly from: number; readonly to?: number }
export type ObjectUri = {
  readonly segment: CollectionSegment
  readonly id: string
  readonly section?: string
  readonly lines?: Lines
}

const uriForm = /^workspace:\/\/([a-z-]+)\/([^/?#]+)(?:\?([^#]*))?$/

/** Null for any other URI. Throws `invalid_parameter` for a query that the object does not take. */
export function parseObjectUri(uri: string): ObjectUri | null {
  const [, named = '', id = '', query = ''] = uriForm.exec(uri) ?? []
  const segment = collectionSegments.find((each) => each === named)
  if (segment === undefined) return null
  return { segment, id: decoded(id), ...partIn(segment, new URLSearchParams(query)) }
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    throw new Fault('not_found', 'The URI is not percent-encoded UTF-8.')
  }
}

function partIn(segment: CollectionSegment, query: URLSearchParams): Pick<ObjectUri, 'section' | 'lines'> {
  const known = segment === 'documents' ? ['section', 'lines'] : []
  for (const name of query.keys()) {
    if (!known.includes(name))
      throw invalidParameter(shortened(name), 'unknown', 'The URI of this object has no such part.')
    if (query.getAll(name).length > 1) throw invalidParameter(name, 'not_unique', 'Stands more than once in the URI.')
  }
  const [section, lines] = [query.get('section'), query.get('lines')]
  return { ...(section && { section }), ...(lines && { lines: linesIn(lines) }) }
}

function linesIn(text: string): Lines {
  const [all, from, dash, to] = /^(\d{1,7})(-(\d{1,7})?)?$/.exec(text) ?? []
  if (all === undefined || from === undefined || Number(from) === 0) {
    throw invalidParameter('lines', 'wrong_format', 'Must be lines such as 10-80, counted from 1; 10- goes to the end.')
  }
  if (dash === undefined) return { from: Number(from), to: Number(from) }
  return { from: Number(from), ...(to !== undefined && { to: Number(to) }) }
}

/** The name of an object in its URI: the identifier of a task and the key of a project, else the id. */
type NamedInUri = { readonly id: string; readonly identifier?: unknown; readonly key?: unknown }

export const nameInUri = ({ id, identifier, key }: NamedInUri): string =>
  [identifier, key].find((each) => typeof each === 'string') ?? id

export const uriOf = (segment: CollectionSegment, object: NamedInUri): string =>
  `workspace://${segment}/${encodeURIComponent(nameInUri(object))}`
