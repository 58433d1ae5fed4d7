// Which fields each kind of CRM entity has. Pure.
import { Company, Contact, Deal, kinds, writableFields, type CrmEntity, type CrmKind } from '#contract/crm-entities.ts'
import type { FieldError } from '#contract/faults/fault.ts'
import type { Fields } from '../collection/resource.ts'
import { refusedFields } from '../validation/unknown-field.ts'
import { addressOf, moneyOf } from './normalize.ts'

const fieldsOf: Readonly<Record<CrmKind, readonly string[]>> = {
  company: Object.keys(Company.properties),
  contact: Object.keys(Contact.properties),
  deal: Object.keys(Deal.properties),
}

/** Returns the entity with the fields of its kind, from the fields of all kinds. */
export function entityFromRow(row: Fields): CrmEntity {
  const own = fieldsOf[row['kind'] as CrmKind].filter((field) => field in row)
  const entity = Object.fromEntries(own.map((field) => [field, row[field]]))
  // `fieldsOf` names every field of the kind, and the table's checks allow no other values.
  return inContractOrder(entity) as CrmEntity
}

/** The database does not keep the order of the fields of a JSON object. */
function inContractOrder(entity: Fields): Fields {
  return {
    ...entity,
    ...('address' in entity && { address: addressOf(null, entity['address'] as Fields | null) }),
    ...('amount' in entity && { amount: moneyOf(null, entity['amount'] as Fields | null) }),
  }
}

/** Throws when the input has a field that the kind does not have or does not take. */
export function assertOwnFields(kind: CrmKind, given: Fields): void {
  const foreign = Object.keys(given).filter((field) => field !== 'kind' && !writableFields[kind].includes(field))
  if (foreign.length === 0) return
  throw refusedFields(foreign.map((field) => fieldError(kind, field)))
}

function fieldError(kind: CrmKind, field: string): FieldError {
  const pointer = `/${field}`
  // Such as the name of a contact.
  if (fieldsOf[kind].includes(field)) return { pointer, code: 'read_only', detail: `Of a ${kind} it is computed.` }
  const owners = kinds.filter((each) => writableFields[each].includes(field)).join(' or a ')
  return { pointer, code: 'unknown', detail: `A ${kind} has no such field, only a ${owners}.` }
}

/** The kinds that a filter by kind matches, or the one kind of an object. */
export function kindsIn(value: unknown): readonly CrmKind[] {
  const named = value === undefined ? [] : [value].flat().map(String)
  if (named.length === 0) return kinds
  const negated = named.every((name) => name.startsWith('!'))
  return kinds.filter((kind) => (negated ? !named.includes(`!${kind}`) : named.includes(kind)))
}
