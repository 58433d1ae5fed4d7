// The fields of each kind of CRM entity, and the stored form of addresses, amounts, domains and emails. Pure.
import {
  Company,
  Contact,
  Deal,
  kinds,
  addressParts,
  type CrmEntity,
  type CrmKind,
  type Address,
  type Money,
  writableFields,
} from '#contract/crm-entities.ts'
import type { FieldError } from '#contract/faults/fault.ts'
import type { Fields } from '../collection/definition.ts'
import { refuseField } from '../faults/shared-faults.ts'
import { minorUnitsOf } from '../validation/string-formats.ts'
import { comparedDomain, comparedEmail } from '../text/addresses.ts'
import { refusedFields } from '../validation/unknown-field.ts'

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
    // Deals were written before they could have any.
    ...('phones' in entity && { phones: entity['phones'] ?? [] }),
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

/** Merges the patch field by field. Returns null when no field has a value. */
export function addressOf(before: Address | null, patch: Fields | null): Address | null {
  if (patch === null) return null
  const merged: Fields = { ...before, ...patch }
  const parts = Object.keys(addressParts).map((part) => [part, merged[part] ?? null] as const)
  // The names are those of the schema, and the values were checked against it.
  return parts.every(([, value]) => value === null) ? null : (Object.fromEntries(parts) as Address)
}

/** Throws when an amount is finer than the minor unit of its currency, and for `-0`. Trailing zeros do not count. */
export function assertMinorUnits({ amount, currency }: Money): void {
  if (amount.startsWith('-') && Number(amount) === 0) refuseField('amount/amount', 'wrong_format', 'Zero has no sign.')
  const digits = (amount.split('.')[1] ?? '').replace(/0+$/, '').length
  const most = minorUnitsOf(currency)
  if (digits <= most) return
  const allowed = most === 0 ? 'whole amounts only' : `at most ${most} digits after the point`
  refuseField('amount/amount', 'wrong_format', `${currency} has ${allowed}.`)
}

/** Merges the patch field by field. */
export function moneyOf(before: Money | null, patch: Partial<Money> | null): Money | null {
  if (patch === null) return null
  const { amount, currency } = { ...before, ...patch }
  if (amount === undefined) refuseField('amount/amount', 'required', 'Is required.')
  if (currency === undefined) refuseField('amount/currency', 'required', 'Is required.')
  return { amount, currency }
}

const comparedIn = { domains: comparedDomain, emails: comparedEmail }

export const isCompared = (field: string): field is keyof typeof comparedIn => Object.hasOwn(comparedIn, field)

/** In lower case, and of equal ones the first: a domain can be written in punycode and in its own script. */
export function stored(field: keyof typeof comparedIn, texts: readonly string[]): string[] {
  const byComparedForm = new Map<string, string>()
  for (const text of texts.map((each) => each.toLowerCase())) {
    const form = comparedIn[field](text)
    if (!byComparedForm.has(form)) byComparedForm.set(form, text)
  }
  return [...byComparedForm.values()]
}
