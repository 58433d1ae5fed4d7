// What differs between two states of one object. A change that changes nothing is no change: no event, no new version.
import type { Changes } from '#contract/event.ts'

export const bookkeeping = new Set(['version', 'updatedAt', 'updatedBy'])

export function changesBetween(before: object, after: object): Changes {
  const was = new Map(Object.entries(before))
  const changed = Object.entries(after).filter(
    ([field, to]) => !bookkeeping.has(field) && JSON.stringify(was.get(field)) !== JSON.stringify(to),
  )
  return Object.fromEntries(changed.map(([field, to]) => [field, { from: was.get(field) ?? null, to }]))
}

export const isUnchanged = (before: object, after: object): boolean =>
  Object.keys(changesBetween(before, after)).length === 0
