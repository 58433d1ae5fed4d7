// Canonical JSON: equal values have the same text, whatever the order of their members, and so the same hash.
import { hash } from 'node:crypto'

export const canonicalHash = (value: unknown): Buffer<ArrayBuffer> => hash('sha256', canonicalJson(value), 'buffer')

export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value))

/** The value with the members of its objects in the order of their names. */
function ordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(ordered)
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, ordered((value as Readonly<Record<string, unknown>>)[name])]))
}
