// Canonical JSON: equal values have the same text, whatever the order of their members, and so the same hash.
import { createHash } from 'node:crypto'

export const canonicalHash = (value: unknown): Buffer<ArrayBuffer> =>
  Buffer.from(createHash('sha256').update(canonicalJson(value)).digest('hex'), 'hex')

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
