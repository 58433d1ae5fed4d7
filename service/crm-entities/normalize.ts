// Addresses, amounts and lists of domains or emails in the form in which they are stored. Pure.
import { addressParts, type Address, type Money } from '#contract/crm-entities.ts'
import type { Fields } from '../collection/resource.ts'
import { refuseField } from '../faults/field-refusals.ts'
import { minorUnitsOf } from '../validation/iso-codes.ts'

/** Merges the patch field by field. Returns null when no field has a value. */
export function addressOf(before: Address | null, patch: Fields | null): Address | null {
  if (patch === null) return null
  const merged: Fields = { ...before, ...patch }
  const parts = Object.keys(addressParts).map((part) => [part, merged[part] ?? null] as const)
  // The names are those of the schema, and the values were checked against it.
  return parts.every(([, value]) => value === null) ? null : (Object.fromEntries(parts) as Address)
}

/** Throws where an amount is finer than the minor unit of its currency. Zeros at its end are none. */
export function assertMinorUnits({ amount, currency }: Money): void {
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

/** Domains and emails are compared and stored in lower case, each once. */
export const lowered = (texts: readonly string[]): string[] => [...new Set(texts.map((text) => text.toLowerCase()))]
