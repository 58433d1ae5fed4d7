// The bounds on lengths and counts (maxLength, maxItems, maxProperties), checked before anything whose cost grows with
// the input: a value that is over a bound is refused for that alone, and what it contains is not looked at.
import type { FieldError } from '#contract/faults/fault.ts'
import { pointerTo } from '../text/json-pointer.ts'
import { counted } from './validation-messages.ts'
import { unknownField } from './unknown-field.ts'
import type { SchemaNode } from '#contract/json-schema.ts'

type Path = readonly (string | number)[]
/** Returns what is over its bound in a value of the schema's type; nothing for a value of another type. */
type Look = (value: unknown, path: Path) => readonly FieldError[]

const errorsMax = 20

/** Returns what is over its bound, at most twenty; an empty list where all bounds hold. */
export function boundsCheck(schema: SchemaNode): (value: unknown) => readonly FieldError[] {
  const look = lookFor(schema)
  return (value) => (look === null ? [] : look(value, []).slice(0, errorsMax))
}

/** Returns null when the schema bounds nothing. */
function lookFor(schema: SchemaNode): Look | null {
  if (schema.anyOf !== undefined) return inAlternatives(schema.anyOf)
  switch (schema.type) {
    case 'string':
      return schema.maxLength === undefined ? null : inText(schema.maxLength)
    case 'array':
      return inItems(schema)
    case 'object':
      return inMembers(schema)
    default:
      return null
  }
}

/** A value is within bounds when it is within those of one of the alternatives for its type. */
function inAlternatives(schemas: readonly SchemaNode[]): Look | null {
  const alternatives = schemas.map((schema) => ({ type: schema.type, look: lookFor(schema) }))
  if (alternatives.every(({ look }) => look === null)) return null
  return (value, path) => {
    const found = alternatives
      .filter(({ type }) => type === undefined || type === typeOf(value))
      .map(({ look }) => look?.(value, path) ?? [])
    return found.every((errors) => errors.length > 0) ? (found[0] ?? []) : []
  }
}

// A generous bound on UTF-16 units: the length itself is checked once the text is in NFC. No spelling of a character
// has more than four code points, each of two units at the most.
const unitsPerCharacterMax = 8

const inText =
  (max: number): Look =>
  (value, path) =>
    typeof value === 'string' && value.length > max * unitsPerCharacterMax
      ? [tooLong(path, `Has more than ${counted(max, 'character')}.`)]
      : []

function inItems({ maxItems = Infinity, items }: SchemaNode): Look {
  const look = items === undefined ? null : lookFor(items)
  return (value, path) => {
    if (!Array.isArray(value)) return []
    if (value.length > maxItems) return [tooLong(path, `Has more than ${counted(maxItems, 'item')}.`)]
    return look === null ? [] : gathered(value.entries(), (item, at) => look(item, [...path, at]))
  }
}

function inMembers(schema: SchemaNode): Look {
  const { properties = {}, patternProperties = {}, maxProperties = Infinity } = schema
  const looks = new Map(Object.entries(properties).map(([name, each]) => [name, lookFor(each)]))
  const [others] = Object.values(patternProperties).map(lookFor)
  const known = schema.additionalProperties === false && others === undefined ? new Set(looks.keys()) : null
  return (value, path) => {
    if (typeOf(value) !== 'object') return []
    const names = Object.keys(value as object)
    if (names.length > maxProperties) return [tooLong(path, `Has more than ${counted(maxProperties, 'member')}.`)]
    if (known !== null && names.length > known.size) return unknownIn(names, known, path)
    return gathered(
      Object.entries(value as object),
      (member, name) => (looks.get(name) ?? others)?.(member, [...path, name]) ?? [],
    )
  }
}

/** An object with more members than the schema has names holds unknown ones. */
function unknownIn(names: readonly string[], known: ReadonlySet<string>, path: Path): FieldError[] {
  const unknown = names.values().filter((name) => !known.has(name))
  return [...unknown.take(errorsMax)].map((name) => unknownField(pointerTo(path), name, [...known]))
}

function gathered<K>(
  entries: Iterable<readonly [K, unknown]>,
  look: (value: unknown, key: K) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = []
  for (const [key, value] of entries) {
    errors.push(...look(value, key))
    if (errors.length >= errorsMax) break
  }
  return errors
}

const tooLong = (path: Path, detail: string): FieldError => ({ pointer: pointerTo(path), code: 'too_long', detail })

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
