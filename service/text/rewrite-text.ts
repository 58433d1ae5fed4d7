// Rewrites text in input, wherever the schema has it: ids, what may stand for them, and times into one spelling before
// it is validated, and names of objects into ids after that.
import type { SchemaNode, SchemaNodes } from '#contract/json-schema.ts'
import { referenceFormat } from '#contract/references.ts'
import { inUtc } from './times.ts'

type Path = readonly (string | number)[]
/** `format` is that of the text's schema. */
type RewriteText = (text: string, format: string, path: Path) => string
/** An invalid value stays as it is. */
export type TextRewriter = (value: unknown, rewrite: RewriteText) => unknown

type TextWalk = (value: unknown, rewrite: RewriteText, path: Path) => unknown

/** Null where the schema has no format that is wanted. */
export function textRewriter(schema: SchemaNode, isWanted: (format: string) => boolean): TextRewriter | null {
  const walk = walkOf(schema, isWanted)
  return walk === null ? null : (value, rewrite) => walk(value, rewrite, [])
}

/**
 * Spells ids in small letters, as the database gives them: an id in capitals is the same one (RFC 9562), and so they can
 * be compared as text. Times are spelt in UTC.
 */
export function canonicalSpelling(schema: SchemaNode): (value: unknown) => unknown {
  const rewriter = textRewriter(
    schema,
    (format) => format === 'uuid' || format === 'date-time' || referenceFormat(format) !== null,
  )
  if (rewriter === null) return (value) => value
  return (value) => rewriter(value, (text, format) => (format === 'date-time' ? inUtc(text) : text.toLowerCase()))
}

function walkOf(
  { format, items, properties, anyOf = [] }: SchemaNode,
  isWanted: (format: string) => boolean,
): TextWalk | null {
  if (format !== undefined && isWanted(format))
    return (value, rewrite, path) => (typeof value === 'string' ? rewrite(value, format, path) : value)
  if (items !== undefined) return ofItems(walkOf(items, isWanted))
  if (properties !== undefined) return ofMembers(properties, isWanted)
  const walks = anyOf.map((each) => walkOf(each, isWanted)).filter((walk) => walk !== null)
  return walks.length === 0
    ? null
    : (value, rewrite, path) => walks.reduce((result, walk) => walk(result, rewrite, path), value)
}

const ofItems = (walk: TextWalk | null): TextWalk | null =>
  walk === null
    ? null
    : (value, rewrite, path) =>
        Array.isArray(value) ? value.map((item, at) => walk(item, rewrite, [...path, at])) : value

function ofMembers(properties: SchemaNodes, isWanted: (format: string) => boolean): TextWalk | null {
  const walks = Object.entries(properties).flatMap(([name, schema]): [string, TextWalk][] => {
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
