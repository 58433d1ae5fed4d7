// JSON Pointers (RFC 6901), by which a refusal says where in the input it found something, and canonical JSON: equal
// values have the same text, whatever the order of their members, and so the same hash.
import { hash } from 'node:crypto'

/** Longer names are cut when they are sent back in a refusal. */
const stepLengthMax = 200

/** A longer pointer ends at the last step that fits: it still says where to look. */
const pointerLengthMax = 2_000

export function pointerTo(path: readonly (string | number)[]): string {
  let pointer = ''
  for (const step of path) {
    const longer = `${pointer}/${shortened(String(step)).replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (longer.length > pointerLengthMax) break
    pointer = longer
  }
  return pointer
}

export const shortened = (name: string): string =>
  name.length > stepLengthMax ? `${name.slice(0, stepLengthMax).toWellFormed()}…` : name

export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

export const canonicalHash = (value: unknown): Buffer<ArrayBuffer> => hash('sha256', canonicalJson(value), 'buffer')

export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value))

/** The value with the members of its objects in the order of their names. */
function ordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(ordered)
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, ordered((value as Readonly<Record<string, unknown>>)[name])]))
}
