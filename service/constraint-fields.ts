// Which field a refused constraint is about, for every table with fields of the contract. A constraint is named
// `<table>_<column>_key` or `<table>_<column>_fkey`; one of a table of links has the column that its field would have.
import { Account } from '#contract/account.ts'
import { ApiKey } from '#contract/api-keys.ts'
import { CustomField } from '#contract/custom-fields.ts'
import { Member } from '#contract/members.ts'
import { Workspace } from '#contract/workspaces.ts'
import { columnOf } from './collection/columns.ts'
import type { Collection } from './collection/define.ts'
import type { EachCollection } from './collection/each-collection.ts'
import type { ConstraintFields } from './faults/database-fault.ts'

export const constraintFieldsIn = (eachCollection: EachCollection): ConstraintFields =>
  new Map([
    ...eachCollection(fieldsOfCollection).flat(),
    ...fieldsOf('account', Object.keys(Account.properties)),
    ...fieldsOf('api_key', Object.keys(ApiKey.properties)),
    ...fieldsOf('custom_field', Object.keys(CustomField.properties)),
    ...fieldsOf('member', Object.keys(Member.properties)),
    ...fieldsOf('workspace', Object.keys(Workspace.properties)),
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
