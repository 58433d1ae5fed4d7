// An id is the same in capitals and in small letters (RFC 9562). Here it has small ones, as the database gives it: then
// ids can be compared as text.
import type { SchemaNode, SchemaNodes } from '#contract/json-schema.ts'

export type Spell = (value: unknown) => unknown

/** Spells the ids in a value of the schema; what does not fit the schema is left as it is. */
export const speller = (schema: SchemaNode): Spell => spellerOf(schema) ?? ((value) => value)

/** Null where there is none to spell. */
function spellerOf(schema: SchemaNode): Spell | null {
  const { format, items, properties, anyOf = [] } = schema
  if (format === 'uuid' || format === 'id-or-identifier')
    return (value) => (typeof value === 'string' ? value.toLowerCase() : value)
  if (items !== undefined) return ofItems(spellerOf(items))
  if (properties !== undefined) return ofMembers(properties)
  const spellers = anyOf.map(spellerOf).filter((spell) => spell !== null)
  return spellers.length === 0 ? null : (value) => spellers.reduce((spelt, spell) => spell(spelt), value)
}

const ofItems = (spell: Spell | null): Spell | null =>
  spell === null ? null : (value) => (Array.isArray(value) ? value.map(spell) : value)

function ofMembers(properties: SchemaNodes): Spell | null {
  const spellers = Object.entries(properties).flatMap(([name, schema]): [string, Spell][] => {
    const spell = spellerOf(schema)
    return spell === null ? [] : [[name, spell]]
  })
  if (spellers.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const members = new Map(Object.entries(value))
    for (const [name, spell] of spellers) if (members.has(name)) members.set(name, spell(members.get(name)))
    return Object.fromEntries(members)
  }
}
