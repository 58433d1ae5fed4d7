// The kinds of objects that are resources: how a list calls one, and what it shows of each.
import { operationNamed, type OperationName } from '#contract/api.ts'
import type { Operation } from '#contract/operation.ts'
import { collectionSegments, covers, type CollectionSegment } from '#contract/scopes.ts'
import type { Exchange } from '../mcp-tools/exchange.ts'

export type Fields = Readonly<Record<string, unknown>> & { readonly id: string }

type Kind = {
  readonly singular: string
  readonly plural: string
  /** The fields that a list shows. */
  readonly brief: readonly string[]
  readonly titleOf: (object: Fields) => string
}

export const kinds: Readonly<Record<CollectionSegment, Kind>> = {
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
export const titleIn = ({ title, name }: Fields): string => [title, name].find((each) => typeof each === 'string') ?? ''

/** Those that the key may read, in one order everywhere. */
export const readableSegments = ({ caller }: Exchange): CollectionSegment[] =>
  (Object.keys(kinds) as CollectionSegment[]).filter((segment) => mayRead(segment, caller.principal.scopes))

export const mayRead = (segment: CollectionSegment, held: readonly string[]): boolean =>
  collectionSegments.includes(segment) && covers(held, `${segment}:read`)

type CollectionOperation = Extract<OperationName, `${CollectionSegment}.${'list' | 'get'}`>

export const operationOf = (segment: CollectionSegment, action: 'list' | 'get'): Operation =>
  operationNamed(`${segment}.${action}` satisfies CollectionOperation)

/** What a list says of an object beside its title: `task, in_progress, due 2026-03-31`. */
export function shortly(segment: CollectionSegment, { status, stage, kind, health, folder, dueDate }: Fields): string {
  const what = typeof kind === 'string' ? kind : kinds[segment].singular
  const due = typeof dueDate === 'string' ? `due ${dueDate}` : null
  return [what, status, stage, health, folder, due].filter((each) => typeof each === 'string').join(', ')
}
