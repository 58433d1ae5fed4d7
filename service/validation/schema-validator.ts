// Validates values against the contract's schemas with ajv. Errors are reported field by field, in our own words; an
// unknown field comes with the known name that was probably meant.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Static, TSchema } from 'typebox'
import type { FieldCode, FieldError } from '#contract/faults/fault.ts'
import { withUniqueItems } from './unique-items.ts'
import { unknownField } from './unknown-field.ts'
import { formats } from './string-formats.ts'
import { pointerTo } from '../text/json-pointer.ts'
import { messageFor } from './validation-messages.ts'

const errorsMax = 20

// `allErrors` checks every keyword, whatever another has refused already: input-bounds.ts has to come before.
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
  return (value) => (validate(value) ? [] : once(telling(validate.errors ?? []).map(described)).slice(0, errorsMax))
}

/** Of several errors with one code at one place, the first: a format and a pattern often say the same. */
function once(errors: readonly FieldError[]): FieldError[] {
  const seen = new Set<string>()
  return errors.filter(({ pointer, code }) => {
    const size = seen.size
    return seen.add(JSON.stringify([pointer, code])).size > size
  })
}

// Output: what comes from the database has its formats already, and one mistake is enough to know.
const shapes = withUniqueItems(new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false }))

/** Returns a check of output that returns ajv's description of what is wrong, or null. */
export function outputChecker(schema: TSchema): (value: unknown) => string | null {
  const validate = shapes.compile(schema)
  return (value) => (validate(value) ? null : shapes.errorsText(validate.errors))
}

function telling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const tooEmpty = new Set(errors.filter(isEmptyText).map(({ instancePath }) => instancePath))
  const some = errors.filter((error) => isTelling(error) && (!tooEmpty.has(error.instancePath) || isEmptyText(error)))
  return some.length > 0 ? some : errors
}

/** What is refused for being empty need not be told that its format is wrong as well. */
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
    detail: messageFor(keyword, schema, data) ?? 'Is not acceptable.',
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
