// The result of merging two entities of one kind. Pure.
import { allFields, type CrmEntity, type CrmKind } from '#contract/crm-entities.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Fields } from '../collection/definition.ts'
import { isCompared, stored } from './fields.ts'
import { named } from './rules.ts'

/** The ids of the companies above each of the two. */
export type Ancestors = { readonly survivor: readonly string[]; readonly source: readonly string[] }

/** Fields that are not filled from the source. */
const notTaken = new Set(['deletedAt', 'mergedIntoId', 'closedAt', 'lostReason', 'parentCompanyId', 'customFields'])

/** The survivor with what it lacks from the source: empty fields are filled, lists are joined. */
export function mergedSurvivor<E extends CrmEntity>(survivor: E, source: E, ancestors: Ancestors): E {
  const from = source as Fields
  const filled = Object.entries(survivor).map(([field, value]) => [
    field,
    notTaken.has(field) ? value : filledIn(field, value, from[field]),
  ])
  const customFields = { ...survivor.customFields, ...lacking(survivor.customFields, source.customFields) }
  // Each field has a value of the survivor's type: its own, or that of a source of the same kind.
  const next = { ...Object.fromEntries(filled), customFields } as E
  return finished(next, source, ancestors)
}

function finished<E extends CrmEntity>(next: E, source: CrmEntity, ancestors: Ancestors): E {
  if (next.kind === 'contact') return { ...next, ...named(next) }
  if (next.kind === 'company' && source.kind === 'company') {
    return { ...next, parentCompanyId: parentOf(next, source, ancestors) }
  }
  if (next.kind === 'deal' && source.kind === 'deal' && next.stage === 'lost') {
    return { ...next, lostReason: next.lostReason ?? source.lostReason }
  }
  return next
}

function filledIn(field: string, value: unknown, other: unknown): unknown {
  if (!Array.isArray(value)) return value ?? other
  const all = [...value, ...(other as unknown[])]
  const joined = isCompared(field) ? stored(field, all.map(String)) : [...new Set<unknown>(all)]
  const { maxItems } = (allFields as Fields)[field] as { readonly maxItems: number }
  if (joined.length <= maxItems) return joined
  throw new Fault('limit_reached', `Both together have more than ${maxItems} of \`${field}\`: remove some first.`, {
    field,
    limit: maxItems,
  })
}

/** The values under keys that `values` does not have. */
const lacking = (values: Fields, others: Fields): Fields =>
  Object.fromEntries(Object.entries(others).filter(([key]) => !Object.hasOwn(values, key)))

type Child = { readonly id: string; readonly parentCompanyId: string | null }

/** A survivor below the source moves up to the source's parent; one above the source stays where it is. */
function parentOf(survivor: Child, source: Child, ancestors: Ancestors): string | null {
  if (ancestors.survivor.includes(source.id)) return source.parentCompanyId
  const isAbove = ancestors.source.includes(survivor.id)
  return survivor.parentCompanyId ?? (isAbove ? null : source.parentCompanyId)
}

/** The source as it is deleted: without its domains, emails and external ids, all of which the survivor has now. */
export function mergedSource<E extends CrmEntity>(source: E, survivor: CrmEntity, at: Date): E {
  const moved: Readonly<Record<CrmKind, Fields>> = { company: { domains: [] }, contact: { emails: [] }, deal: {} }
  return {
    ...source,
    ...moved[source.kind],
    externalSource: null,
    externalId: null,
    externalIds: [],
    mergedIntoId: survivor.id,
    deletedAt: at.toISOString(),
  }
}
