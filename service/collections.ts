// The list of collections: the one line that binds a new one. Handlers, the purge of deleted objects and the field that
// a refused constraint is about are read off it.
import { Account } from '#contract/account.ts'
import { ApiKey } from '#contract/api-keys.ts'
import { Comment } from '#contract/comments.ts'
import { CustomField } from '#contract/custom-fields.ts'
import { Member } from '#contract/members.ts'
import type { CollectionSegment } from '#contract/scopes.ts'
import { Workspace } from '#contract/workspaces.ts'
import { columnOf, type EachCollection, type Collection } from './collection/definition.ts'
import { crmEntities } from './crm-entities/collection.ts'
import { documents } from './documents/collection.ts'
import type { ConstraintFields } from './faults/database-faults.ts'
import { projects } from './projects/collection.ts'
import { tasks } from './tasks/collection.ts'

/** Those that others refer to come first. A missing one does not compile. */
export const eachCollection: EachCollection = (visit) =>
  Object.values({
    'crm-entities': visit(crmEntities),
    projects: visit(projects),
    tasks: visit(tasks),
    documents: visit(documents),
  } satisfies Record<CollectionSegment, unknown>)

/**
 * The field that a refused constraint is about, for every table with fields of the contract. A constraint is named
 * `<table>_<column>_key` or `<table>_<column>_fkey`; one of a table of links has the column that its field would have.
 */
export const constraintFieldsIn = (eachCollection: EachCollection): ConstraintFields =>
  new Map([
    ...eachCollection(fieldsOfCollection).flat(),
    ...fieldsOf('account', Object.keys(Account.properties)),
    ...fieldsOf('api_key', Object.keys(ApiKey.properties)),
    ...fieldsOf('comment', Object.keys(Comment.properties)),
    ...fieldsOf('comment_file', ['fileIds']),
    ...fieldsOf('custom_field', Object.keys(CustomField.properties)),
    ...fieldsOf('member', Object.keys(Member.properties)),
    ...fieldsOf('workspace', Object.keys(Workspace.properties)),
    ['external_id_external_id', 'externalId'] as const,
  ])

const fieldsOfCollection = ({
  table,
  fields,
  links,
}: Pick<Collection, 'table' | 'fields' | 'links'>): (readonly [string, string])[] => [
  ...fieldsOf(table, Object.keys(fields)),
  ...links.flatMap((link) => fieldsOf(link.table, [link.field])),
]

const fieldsOf = (table: string, fields: readonly string[]): (readonly [string, string])[] =>
  fields.map((field) => [`${table}_${columnOf(field)}`, field])
