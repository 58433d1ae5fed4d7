// An id is the same in capitals and in small letters (RFC 9562). In input it is written in small letters, as the database
// gives it, so that ids can be compared as text.
import type { SchemaNode, SchemaNodes } from '#contract/json-schema.ts'

export type Lowercase = (value: unknown) => unknown

/** Returns a function that writes the ids in a value of the schema in small letters; an invalid value stays as it is. */
export const idLowercaser = (schema: SchemaNode): Lowercase => lowercaserOf(schema) ?? ((value) => value)

/** Null where there is none to lowercase. */
function lowercaserOf(schema: SchemaNode): Lowercase | null {
  const { format, items, properties, anyOf = [] } = schema
  if (format === 'uuid' || format === 'id-or-identifier')
    return (value) => (typeof value === 'string' ? value.toLowerCase() : value)
  if (items !== undefined) return ofItems(lowercaserOf(items))
  if (properties !== undefined) return ofMembers(properties)
  const lowercasers = anyOf.map(lowercaserOf).filter((lowercase) => lowercase !== null)
  return lowercasers.length === 0
    ? null
    : (value) => lowercasers.reduce((result, lowercase) => lowercase(result), value)
}

const ofItems = (lowercase: Lowercase | null): Lowercase | null =>
  lowercase === null ? null : (value) => (Array.isArray(value) ? value.map(lowercase) : value)

function ofMembers(properties: SchemaNodes): Lowercase | null {
  const lowercasers = Object.entries(properties).flatMap(([name, schema]): [string, Lowercase][] => {
    const lowercase = lowercaserOf(schema)
    return lowercase === null ? [] : [[name, lowercase]]
  })
  if (lowercasers.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const members = new Map(Object.entries(value))
    for (const [name, lowercase] of lowercasers) if (members.has(name)) members.set(name, lowercase(members.get(name)))
    return Object.fromEntries(members)
  }
}
