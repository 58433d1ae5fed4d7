// Rewrites the ids in input, wherever the schema has them, and what may stand for them: into small letters before it is
// validated, and names of objects into ids after that.
import type { SchemaNode, SchemaNodes } from '#contract/json-schema.ts'
import { referenceFormat } from '#contract/references.ts'

type Path = readonly (string | number)[]
/** `format` is that of the text's schema. */
type Rewrite = (text: string, format: string, path: Path) => string
/** An invalid value stays as it is. */
export type IdRewriter = (value: unknown, rewrite: Rewrite) => unknown

type Walk = (value: unknown, rewrite: Rewrite, path: Path) => unknown

/** Null where the schema has no format that is wanted. */
export function idRewriter(schema: SchemaNode, isWanted: (format: string) => boolean): IdRewriter | null {
  const walk = walkOf(schema, isWanted)
  return walk === null ? null : (value, rewrite) => walk(value, rewrite, [])
}

/**
 * An id is the same in capitals and in small letters (RFC 9562). Input has it in small letters, as the database gives
 * it, so that ids can be compared as text.
 */
export function idLowercaser(schema: SchemaNode): (value: unknown) => unknown {
  const rewriter = idRewriter(schema, (format) => format === 'uuid' || referenceFormat(format) !== null)
  return rewriter === null ? (value) => value : (value) => rewriter(value, (text) => text.toLowerCase())
}

function walkOf(
  { format, items, properties, anyOf = [] }: SchemaNode,
  isWanted: (format: string) => boolean,
): Walk | null {
  if (format !== undefined && isWanted(format))
    return (value, rewrite, path) => (typeof value === 'string' ? rewrite(value, format, path) : value)
  if (items !== undefined) return ofItems(walkOf(items, isWanted))
  if (properties !== undefined) return ofMembers(properties, isWanted)
  const walks = anyOf.map((each) => walkOf(each, isWanted)).filter((walk) => walk !== null)
  return walks.length === 0
    ? null
    : (value, rewrite, path) => walks.reduce((result, walk) => walk(result, rewrite, path), value)
}

const ofItems = (walk: Walk | null): Walk | null =>
  walk === null
    ? null
    : (value, rewrite, path) =>
        Array.isArray(value) ? value.map((item, at) => walk(item, rewrite, [...path, at])) : value

function ofMembers(properties: SchemaNodes, isWanted: (format: string) => boolean): Walk | null {
  const walks = Object.entries(properties).flatMap(([name, schema]): [string, Walk][] => {
    const walk = walkOf(schema, isWanted)
    return walk === null ? [] : [[name, walk]]
  })
  if (walks.length === 0) return null
  return (value, rewrite, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const members = new Map(Object.entries(value))
    for (const [name, walk] of walks)
      if (members.has(name)) members.set(name, walk(members.get(name), rewrite, [...path, name]))
    return Object.fromEntries(members)
  }
}
