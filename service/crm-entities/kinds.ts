// Which fields each kind has, and the object of a kind from a row of all kinds. Pure.
import {
  Company,
  Contact,
  Deal,
  kinds,
  writableFields,
  type CrmEntity,
  type CrmKind,
} from '#contract/crm-entity-schema.ts'
import type { FieldError } from '#contract/fault.ts'
import type { Fields } from '../collection/resource.ts'
import { refusedFields } from '../validation/unknown-field.ts'
import { addressOf, moneyOf } from './normalize.ts'

const shown: Readonly<Record<CrmKind, readonly string[]>> = {
  company: Object.keys(Company.properties),
  contact: Object.keys(Contact.properties),
  deal: Object.keys(Deal.properties),
}

export function entityFromRow(row: Fields): CrmEntity {
  const own = shown[row['kind'] as CrmKind].filter((field) => field in row)
  const entity = Object.fromEntries(own.map((field) => [field, row[field]]))
  // The table's checks allow no other values.
  return inOrder(entity) as unknown as CrmEntity
}

/** The database does not keep the order of an object's parts. */
function inOrder(entity: Fields): Fields {
  return {
    ...entity,
    ...('address' in entity && { address: addressOf(null, entity['address'] as Fields | null) }),
    ...('amount' in entity && { amount: moneyOf(null, entity['amount'] as Fields | null) }),
  }
}

export function assertOwnFields(kind: CrmKind, given: Fields): void {
  const foreign = Object.keys(given).filter((field) => field !== 'kind' && !writableFields[kind].includes(field))
  if (foreign.length === 0) return
  throw refusedFields(foreign.map((field) => complaintAbout(kind, field)))
}

function complaintAbout(kind: CrmKind, field: string): FieldError {
  const pointer = `/${field}`
  // A contact's name.
  if (shown[kind].includes(field)) return { pointer, code: 'read_only', detail: `Of a ${kind} it is computed.` }
  const owners = kinds.filter((each) => writableFields[each].includes(field)).join(' or a ')
  return { pointer, code: 'unknown', detail: `A ${kind} has no such field, only a ${owners}.` }
}

/** The kinds that a filter lets through, or the kind that an object has. */
export function kindsIn(value: unknown): readonly CrmKind[] {
  const named = value === undefined ? [] : [value].flat().map(String)
  if (named.length === 0) return kinds
  const negated = named.every((name) => name.startsWith('!'))
  return kinds.filter((kind) => (negated ? !named.includes(`!${kind}`) : named.includes(kind)))
}
