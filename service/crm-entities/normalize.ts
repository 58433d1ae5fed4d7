// Parts of an entity that are objects or lists with a spelling of their own. Pure.
import { addressParts, type Address, type Money } from '#contract/crm-fields.ts'
import type { Fields } from '../collection/resource.ts'
import { refuseField } from '../faults/field-refusals.ts'

/** Merged part by part; nothing in it is no address. */
export function addressOf(before: Address | null, patch: Fields | null): Address | null {
  if (patch === null) return null
  const merged: Fields = { ...before, ...patch }
  const parts = Object.keys(addressParts).map((part) => [part, merged[part] ?? null] as const)
  // The names are those of the schema, the values were checked against it.
  return parts.every(([, value]) => value === null) ? null : (Object.fromEntries(parts) as Address)
}

export function moneyOf(before: Money | null, patch: Partial<Money> | null): Money | null {
  if (patch === null) return null
  const { amount, currency } = { ...before, ...patch }
  if (amount === undefined) refuseField('amount/amount', 'required', 'Is required.')
  if (currency === undefined) refuseField('amount/currency', 'required', 'Is required.')
  return { amount, currency }
}

/** Domains and emails are compared, and so kept, without regard to case. */
export const lowered = (texts: readonly string[]): string[] => [...new Set(texts.map((text) => text.toLowerCase()))]
