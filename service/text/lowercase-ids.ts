// An id is the same in capitals and in small letters (RFC 9562). Here it has small ones, as the database gives it: then
// ids can be compared as text.
import type { SchemaNode, SchemaNodes } from '#contract/json-schema.ts'

export type Lowercase = (value: unknown) => unknown

/** Spells the ids in a value of the schema; what does not fit the schema is left as it is. */
export const idLowercaser = (schema: SchemaNode): Lowercase => lowercaserOf(schema) ?? ((value) => value)

/** Null where there is none to spell. */
function lowercaserOf(schema: SchemaNode): Lowercase | null {
  const { format, items, properties, anyOf = [] } = schema
  if (format === 'uuid' || format === 'id-or-identifier')
    return (value) => (typeof value === 'string' ? value.toLowerCase() : value)
  if (items !== undefined) return ofItems(lowercaserOf(items))
  if (properties !== undefined) return ofMembers(properties)
  const lowercasers = anyOf.map(lowercaserOf).filter((spell) => spell !== null)
  return lowercasers.length === 0 ? null : (value) => lowercasers.reduce((spelt, spell) => spell(spelt), value)
}

const ofItems = (spell: Lowercase | null): Lowercase | null =>
  spell === null ? null : (value) => (Array.isArray(value) ? value.map(spell) : value)

function ofMembers(properties: SchemaNodes): Lowercase | null {
  const lowercasers = Object.entries(properties).flatMap(([name, schema]): [string, Lowercase][] => {
    const spell = lowercaserOf(schema)
    return spell === null ? [] : [[name, spell]]
  })
  if (lowercasers.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const members = new Map(Object.entries(value))
    for (const [name, spell] of lowercasers) if (members.has(name)) members.set(name, spell(members.get(name)))
    return Object.fromEntries(members)
  }
}
