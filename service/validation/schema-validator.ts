// Validates values against the contract's schemas. Bounds on lengths and counts (maxLength, maxItems, maxProperties)
// are checked first, by our own walk, before anything whose cost grows with the input: a value that is over a bound is
// refused for that alone, and what it contains is not looked at. Then ajv checks the rest. Errors are reported field by
// field, in our own words; an unknown field comes with the known name that was probably meant.
import type { SchemaValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Static, TSchema } from 'typebox'
import type { FieldCode, FieldError } from '#contract/faults/fault.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { pointerTo, canonicalJson } from '../text/json.ts'
import { formats } from './string-formats.ts'
import { fieldErrorsMax, unknownField } from './unknown-field.ts'
import { messageFor, counted } from './validation-messages.ts'

// `allErrors` checks every keyword, whatever another has refused already: `boundsCheck` has to come before.
const ajv = withUniqueItems(
  new Ajv2020({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true, ownProperties: true }),
)
addFormats.default(ajv)
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate)

/** Returns a type guard made from a schema. */
export function isOf<T extends TSchema>(schema: T): (value: unknown) => value is Static<T> {
  const validate = ajv.compile(schema)
  return (value): value is Static<T> => validate(value)
}

export type Check = (value: unknown) => readonly FieldError[]

/** Returns a check of values that returns up to twenty errors, or an empty list. */
export function checker(schema: TSchema): Check {
  const validate: ValidateFunction = ajv.compile(schema)
  return (value) =>
    validate(value) ? [] : once(telling(validate.errors ?? []).map(described)).slice(0, fieldErrorsMax)
}

/** Of several errors with one code at one place, the first: a format and a pattern often say the same. */
function once(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>()
  return errors.filter(({ pointer, code }) => {
    const size = seen.size
    return seen.add(JSON.stringify([pointer, code])).size > size
  })
}

// Output: what comes from the database has its formats already, and one error is enough to know.
const shapes = withUniqueItems(new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false }))

/** Returns a check of output that returns ajv's description of what is wrong, or null. */
export function outputChecker(schema: TSchema): (value: unknown) => string | null {
  const validate = shapes.compile(schema)
  return (value) => (validate(value) ? null : shapes.errorsText(validate.errors))
}

function telling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const tooEmpty = new Set(errors.filter(isEmptyText).map(({ instancePath }) => instancePath))
  const closer = placesWithCloserErrors(errors)
  const some = errors.filter(
    (error) =>
      isTelling(error) &&
      (!tooEmpty.has(error.instancePath) || isEmptyText(error)) &&
      !(isOfOtherType(error) && closer.has(error.instancePath)),
  )
  return some.length > 0 ? some : errors
}

/** Of the alternatives at a place, those for values of another type say nothing of one that was meant. */
const isOfOtherType = ({ keyword, schemaPath }: ErrorObject): boolean =>
  keyword === 'type' && /\/anyOf\/\d+\/type$/.test(schemaPath)

/** The places where an alternative is refused for more than its type, or for something inside. */
function placesWithCloserErrors(errors: readonly ErrorObject[]): ReadonlySet<string> {
  const places = new Set<string>()
  for (const error of errors.filter(isTelling)) {
    let place = error.instancePath
    if (isOfOtherType(error)) place = place.slice(0, place.lastIndexOf('/'))
    for (; !places.has(place); place = place.slice(0, Math.max(place.lastIndexOf('/'), 0))) places.add(place)
  }
  return places
}

/** A text that is refused for being empty need not be told that its format is wrong as well. */
const isEmptyText = ({ keyword, data }: ErrorObject): boolean => keyword === 'minLength' && data === ''

// Errors that say nothing more: an invalid name has an error of its own beside `propertyNames`, and an invalid nullable
// value fails against `null` as well.
const isTelling = ({ keyword, params, schemaPath }: ErrorObject): boolean =>
  !(
    keyword === 'anyOf' ||
    keyword === 'propertyNames' ||
    (keyword === 'type' && params['type'] === 'null' && schemaPath.includes('/anyOf/'))
  )

function described(error: ErrorObject): FieldError {
  const { keyword, params, parentSchema, propertyName, schema, data } = error
  const at = error.instancePath + (propertyName === undefined ? '' : pointerTo([propertyName]))
  if (keyword === 'additionalProperties') {
    return unknownField(at, String(params['additionalProperty']), namesIn(parentSchema))
  }
  const isMissing = keyword === 'required'
  return {
    pointer: isMissing ? at + pointerTo([String(params['missingProperty'])]) : at,
    code: codes[keyword] ?? 'wrong_format',
    detail: messageFor(keyword, schema, data) ?? 'This value is invalid.',
    ...(keyword === 'enum' && { allowed: schema as unknown[] }),
    ...(keyword === 'const' && { allowed: [schema] }),
  }
}

const namesIn = (schema: ErrorObject['parentSchema']): string[] =>
  Object.keys((schema?.['properties'] as object | undefined) ?? {})

const codes: Record<string, FieldCode> = {
  required: 'required',
  enum: 'not_in_list',
  const: 'not_in_list',
  type: 'wrong_type',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_short',
  maxItems: 'too_long',
  minProperties: 'too_short',
  maxProperties: 'too_long',
  minimum: 'too_small',
  maximum: 'too_large',
  uniqueItems: 'not_unique',
  pattern: 'wrong_format',
  format: 'wrong_format',
}

/**
 * Checks `uniqueItems` in one pass over the items. The validator's own compares every pair of items whose type the
 * schema leaves open, and lists of enumerated values are of that kind.
 */
function withUniqueItems(ajv: Ajv2020): Ajv2020 {
  const validate: SchemaValidateFunction = (isAsked: boolean, items: readonly unknown[]) => {
    if (!isAsked || new Set(items.map(canonicalJson)).size === items.length) return true
    validate.errors = [{ keyword: 'uniqueItems', params: {} }]
    return false
  }
  return ajv
    .removeKeyword('uniqueItems')
    .addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate })
}

type Path = readonly (string | number)[]
/** Returns what is over its bound in a value of the schema's type; nothing for a value of another type. */
type BoundsCheck = (value: unknown, path: Path) => readonly FieldError[]

/** Returns what is over its bound, at most twenty; an empty list where all bounds hold. */
export function boundsCheck(schema: SchemaNode): (value: unknown) => readonly FieldError[] {
  const look = boundsCheckFor(schema)
  return (value) => (look === null ? [] : look(value, []).slice(0, fieldErrorsMax))
}

/** Returns null when the schema bounds nothing. */
function boundsCheckFor(schema: SchemaNode): BoundsCheck | null {
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
function inAlternatives(schemas: readonly SchemaNode[]): BoundsCheck | null {
  const alternatives = schemas.map((schema) => ({ type: schema.type, look: boundsCheckFor(schema) }))
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
  (max: number): BoundsCheck =>
  (value, path) =>
    typeof value === 'string' && value.length > max * unitsPerCharacterMax
      ? [tooLong(path, `Must have at most ${counted(max, 'character')}.`)]
      : []

function inItems({ maxItems = Infinity, items }: SchemaNode): BoundsCheck {
  const look = items === undefined ? null : boundsCheckFor(items)
  return (value, path) => {
    if (!Array.isArray(value)) return []
    if (value.length > maxItems) return [tooLong(path, `Must have at most ${counted(maxItems, 'item')}.`)]
    return look === null ? [] : gathered(value.entries(), (item, at) => look(item, [...path, at]))
  }
}

function inMembers(schema: SchemaNode): BoundsCheck {
  const { properties = {}, patternProperties = {}, maxProperties = Infinity } = schema
  const looks = new Map(Object.entries(properties).map(([name, each]) => [name, boundsCheckFor(each)]))
  const [others] = Object.values(patternProperties).map(boundsCheckFor)
  const known = schema.additionalProperties === false && others === undefined ? new Set(looks.keys()) : null
  return (value, path) => {
    if (typeOf(value) !== 'object') return []
    const names = Object.keys(value as object)
    if (names.length > maxProperties) return [tooLong(path, `Must have at most ${counted(maxProperties, 'member')}.`)]
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
  return [...unknown.take(fieldErrorsMax)].map((name) => unknownField(pointerTo(path), name, [...known]))
}

function gathered<K>(
  entries: Iterable<readonly [K, unknown]>,
  look: (value: unknown, key: K) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = []
  for (const [key, value] of entries) {
    errors.push(...look(value, key))
    if (errors.length >= fieldErrorsMax) break
  }
  return errors
}

const tooLong = (path: Path, detail: string): FieldError => ({ pointer: pointerTo(path), code: 'too_long', detail })

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
