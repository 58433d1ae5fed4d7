// Normalizes all input before it is validated: text becomes NFC; ids, names that stand for them, and times get one
// spelling; empty text and null are read in one way. Input that would be stored otherwise than it was sent is refused.
// What is normal already is not copied.
import type { TObject, TSchema } from 'typebox'
import type { FieldError } from '#contract/faults/fault.ts'
import { isNull, isClearableList, type SchemaNode, type SchemaNodes } from '#contract/json-schema.ts'
import { parseName, referenceFormat } from '#contract/references.ts'
import { isEmptiness } from '#contract/text-values.ts'
import { textError, toNfc } from '../text/characters.ts'
import { pointerTo } from '../text/json.ts'
import { inUtc } from '../text/times.ts'
import { fieldErrorsMax } from './unknown-field.ts'

export type Normalized = { readonly value: unknown; readonly errors: readonly FieldError[] }
type Normalizing = { readonly path: (string | number)[]; readonly errors: FieldError[] }

/** The parser bounds how deep a value is nested. */
export function normalize(value: unknown): Normalized {
  const walk: Normalizing = { path: [], errors: [] }
  return { value: normalized(value, walk), errors: walk.errors }
}

function normalized(value: unknown, walk: Normalizing): unknown {
  if (typeof value === 'string') return normalizedText(value, walk)
  if (typeof value === 'number') return checkedNumber(value, walk)
  if (value === null || typeof value !== 'object') return value
  return Array.isArray(value) ? normalizedItems(value, walk) : normalizedMembers(value, walk)
}

function normalizedText(text: string, walk: Normalizing): string {
  const error = textError(text)
  if (error !== null) note(walk, 'wrong_format', error)
  return toNfc(text)
}

/** Beyond 2^53 neighbouring numbers are parsed as the same one. */
function checkedNumber(number: number, walk: Normalizing): number {
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) {
    note(walk, number > 0 ? 'too_large' : 'too_small', 'Numbers lie between −9007199254740991 and 9007199254740991.')
  }
  return number
}

function normalizedItems(items: readonly unknown[], walk: Normalizing): readonly unknown[] {
  let changed: unknown[] | undefined
  for (const [at, item] of items.entries()) {
    walk.path.push(at)
    const better = normalized(item, walk)
    walk.path.pop()
    if (better !== item) (changed ??= [...items])[at] = better
  }
  return changed ?? items
}

function normalizedMembers(members: object, walk: Normalizing): object {
  let isChanged = false
  const entries = Object.entries(members).map(([name, value]): [string, unknown] => {
    walk.path.push(name)
    const better = normalizedName(name, value, walk)
    const inner = normalized(value, walk)
    walk.path.pop()
    isChanged ||= better !== name || inner !== value
    return [better, inner]
  })
  if (!isChanged) return members
  const rebuilt = Object.fromEntries(entries)
  if (Object.keys(rebuilt).length < entries.length) note(walk, 'not_unique', 'Holds the same name in two spellings.')
  return rebuilt
}

function normalizedName(name: string, value: unknown, walk: Normalizing): string {
  const error = isOfPrototypes(name, value) ? 'This name is not taken.' : textError(name)
  if (error !== null) note(walk, 'wrong_format', error)
  return toNfc(name)
}

// Harmless here, but not in everything that reads what we store and send.
const isOfPrototypes = (name: string, value: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))

function note({ path, errors }: Normalizing, code: FieldError['code'], detail: string): void {
  if (errors.length < fieldErrorsMax) errors.push({ pointer: pointerTo(path), code, detail })
}

type Path = readonly (string | number)[]
/** `format` is that of the text's schema. */
type RewriteText = (text: string, format: string, path: Path) => string
/** An invalid value stays as it is. */
export type TextRewriter = (value: unknown, rewrite: RewriteText) => unknown

type TextWalk = (value: unknown, rewrite: RewriteText, path: Path) => unknown

/** Returns what rewrites text of these formats wherever the schema has it; null where it has none. */
export function textRewriter(schema: SchemaNode, isWanted: (format: string) => boolean): TextRewriter | null {
  const walk = walkOf(schema, isWanted)
  return walk === null ? null : (value, rewrite) => walk(value, rewrite, [])
}

/**
 * Spells ids in small letters, as the database gives them: an id in capitals is the same one (RFC 9562), and so they
 * can be compared as text. Own ids differ by case, and stay as they are. Times are spelt in UTC.
 */
export function canonicalSpelling(schema: SchemaNode): (value: unknown) => unknown {
  const rewriter = textRewriter(
    schema,
    (format) => format === 'uuid' || format === 'date-time' || referenceFormat(format) !== null,
  )
  if (rewriter === null) return (value) => value
  return (value) => rewriter(value, (text, format) => (format === 'date-time' ? inUtc(text) : inSmallLetters(text)))
}

/** `none` in a filter is an empty field, and `NONE` may be the key of a project. */
function inSmallLetters(text: string): string {
  const small = text.toLowerCase()
  const name = text.replace(/^!/, '')
  return isEmptiness(name.toLowerCase()) || parseName(name)?.form === 'own-id' ? text : small
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

type RewriteValue = (value: unknown) => unknown

const same: RewriteValue = (value) => value

/** Reads null for a list as the empty list: what is stored and shown is never null. */
export function nullAsEmptyLists({ properties }: TObject): RewriteValue {
  const lists = Object.keys(properties).filter((name) => isClearableList(properties[name] ?? {}))
  return lists.length === 0
    ? same
    : inObject(new Map(lists.map((name) => [name, (value) => (value === null ? [] : value)])))
}

/**
 * Reads empty text, as imports have it in their empty cells, as null where null is taken. Before validation: a bound on
 * the length of text, or its format, would refuse it.
 */
export function emptyTextAsNull(schema: SchemaNode): RewriteValue {
  return rewriteOf(schema) ?? same
}

/** Null where nothing in the schema may be null. */
function rewriteOf({ anyOf = [], properties = {} }: SchemaNode): RewriteValue | null {
  if (anyOf.some(isNull) && anyOf.some(isText)) return (value) => (value === '' ? null : value)
  const members = Object.entries(properties).flatMap(([name, each]): [string, RewriteValue][] => {
    const rewrite = rewriteOf(each)
    return rewrite === null ? [] : [[name, rewrite]]
  })
  if (members.length > 0) return inObject(new Map(members))
  return anyOf.map(rewriteOf).find((rewrite) => rewrite !== null) ?? null
}

const isText = ({ type, enum: values = [] }: TSchema & SchemaNode): boolean =>
  type === 'string' || values.some((value) => typeof value === 'string')

/** Rewrites members of an object, which is not copied where none changes. */
function inObject(rewrites: ReadonlyMap<string, RewriteValue>): RewriteValue {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const given = value as Readonly<Record<string, unknown>>
    const changed = [...rewrites].flatMap(([name, rewrite]): [string, unknown][] => {
      if (!Object.hasOwn(given, name)) return []
      const better = rewrite(given[name])
      return better === given[name] ? [] : [[name, better]]
    })
    return changed.length === 0 ? value : { ...given, ...Object.fromEntries(changed) }
  }
}
