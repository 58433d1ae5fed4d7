// Two entities of one kind become one. Pure.
import { type CrmEntity, type CrmKind, anyKind } from '#contract/crm-kinds.ts'
import { Fault } from '#contract/fault.ts'
import type { Fields } from '../collection/resource.ts'
import { named } from './rules.ts'

/** The ids of the companies that each lies below. */
export type Above = { readonly survivor: readonly string[]; readonly source: readonly string[] }

/** What says how one of the two came about, and is not taken over. */
const ofItsOwn = new Set(['deletedAt', 'mergedIntoId', 'closedAt', 'lostReason', 'parentCompanyId', 'customFields'])

/** The survivor with what it lacks from the source: empty fields are filled, lists are joined. */
export function absorb<E extends CrmEntity>(survivor: E, source: E, above: Above): E {
  const from = source as Fields
  const filled = Object.entries(survivor).map(([field, value]) => [
    field,
    ofItsOwn.has(field) ? value : filledIn(field, value, from[field]),
  ])
  const customFields = { ...survivor.customFields, ...lacking(survivor.customFields, source.customFields) }
  // Field by field a value of the survivor's type.
  const next = { ...Object.fromEntries(filled), customFields } as E
  return finished(next, source, above)
}

function finished<E extends CrmEntity>(next: E, source: CrmEntity, above: Above): E {
  if (next.kind === 'contact') return { ...next, ...named(next) }
  if (next.kind === 'company' && source.kind === 'company') {
    return { ...next, parentCompanyId: parentOf(next, source, above) }
  }
  if (next.kind === 'deal' && source.kind === 'deal' && next.stage === 'lost') {
    return { ...next, lostReason: next.lostReason ?? source.lostReason }
  }
  return next
}

function filledIn(field: string, value: unknown, other: unknown): unknown {
  if (!Array.isArray(value)) return value ?? other
  const joined = [...new Set<unknown>([...value, ...(other as unknown[])])]
  const { maxItems } = (anyKind as Fields)[field] as { readonly maxItems: number }
  if (joined.length <= maxItems) return joined
  throw new Fault('limit_reached', `Both together have more than ${maxItems} of \`${field}\`: remove some first.`, {
    field,
    limit: maxItems,
  })
}

const lacking = (values: Fields, others: Fields): Fields =>
  Object.fromEntries(Object.entries(others).filter(([key]) => !Object.hasOwn(values, key)))

type Child = { readonly id: string; readonly parentCompanyId: string | null }

/** A company that lies below the source takes its place in the tree; one above it stays where it is. */
function parentOf(survivor: Child, source: Child, above: Above): string | null {
  if (above.survivor.includes(source.id)) return source.parentCompanyId
  const isAbove = above.source.includes(survivor.id)
  return survivor.parentCompanyId ?? (isAbove ? null : source.parentCompanyId)
}

/** What is left of the source: its addresses and, where the survivor had none, its external id have moved on. */
export function absorbed<E extends CrmEntity>(source: E, survivor: CrmEntity, at: Date): E {
  const moved: Readonly<Record<CrmKind, Fields>> = { company: { domains: [] }, contact: { emails: [] }, deal: {} }
  const isTaken = survivor.externalId === null
  return {
    ...source,
    ...moved[source.kind],
    ...(isTaken && { externalSource: null, externalId: null }),
    mergedIntoId: survivor.id,
    deletedAt: at.toISOString(),
  }
}
