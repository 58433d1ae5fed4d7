// What stands for no value is read in one way, whichever call writes it: null for a list as the empty list, and empty
// text, as imports have it in their empty cells, as null where null is taken.
import type { TObject, TSchema } from 'typebox'
import { isClearableList, isNull, type SchemaNode } from '#contract/json-schema.ts'

type Rewrite = (value: unknown) => unknown

const same: Rewrite = (value) => value

/** What is stored and shown is never null. */
export function nullAsEmptyLists({ properties }: TObject): Rewrite {
  const lists = Object.keys(properties).filter((name) => isClearableList(properties[name] ?? {}))
  return lists.length === 0
    ? same
    : inMembers(new Map(lists.map((name) => [name, (value) => (value === null ? [] : value)])))
}

/** Before validation: a bound on the length of text, or its format, would refuse what is empty. */
export function emptyTextAsNull(schema: SchemaNode): Rewrite {
  return rewriteOf(schema) ?? same
}

/** Null where nothing in the schema may be null. */
function rewriteOf({ anyOf = [], properties = {} }: SchemaNode): Rewrite | null {
  if (anyOf.some(isNull) && anyOf.some(isText)) return (value) => (value === '' ? null : value)
  const members = Object.entries(properties).flatMap(([name, each]): [string, Rewrite][] => {
    const rewrite = rewriteOf(each)
    return rewrite === null ? [] : [[name, rewrite]]
  })
  if (members.length > 0) return inMembers(new Map(members))
  return anyOf.map(rewriteOf).find((rewrite) => rewrite !== null) ?? null
}

const isText = ({ type, enum: values = [] }: TSchema & SchemaNode): boolean =>
  type === 'string' || values.some((value) => typeof value === 'string')

/** What does not change is not copied. */
function inMembers(rewrites: ReadonlyMap<string, Rewrite>): Rewrite {
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
