// Values against the contract's schemas. What does not fit is described field by field, unknown names with the
// nearest known one.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Static, TSchema } from 'typebox'
import type { FieldCode, FieldError } from '#contract/fault.ts'
import { withUniqueItems } from './execution/unique-items.ts'
import { unknownField } from './execution/unknown-field.ts'
import { formats, meanings } from './formats.ts'
import { pointerTo } from './json-pointer.ts'

const errorsMax = 20

// All errors are told, so every keyword is asked whatever another has refused: bounds.ts has to come first.
const ajv = withUniqueItems(
  new Ajv2020({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true, ownProperties: true }),
)
addFormats.default(ajv)
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate)

/** A type guard made from a schema. */
export function isOf<T extends TSchema>(schema: T): (value: unknown) => value is Static<T> {
  const validate = ajv.compile(schema)
  return (value): value is Static<T> => validate(value)
}

export type Check = (value: unknown) => readonly FieldError[]

/** Nothing wrong: an empty list. */
export function checker(schema: TSchema): Check {
  const validate: ValidateFunction = ajv.compile(schema)
  return (value) =>
    validate(value)
      ? []
      : telling(validate.errors ?? [])
          .slice(0, errorsMax)
          .map(described)
}

// What comes from the database has its formats already, and one mistake is enough to know.
const shapes = withUniqueItems(new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false }))

/** For what goes out. Null where nothing is wrong. */
export function outputChecker(schema: TSchema): (value: unknown) => string | null {
  const validate = shapes.compile(schema)
  return (value) => (validate(value) ? null : shapes.errorsText(validate.errors))
}

function telling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const some = errors.filter(isTelling)
  return some.length > 0 ? some : errors
}

// A name that does not fit has an error of its own beside `propertyNames`.
// A nullable value that does not fit fails against `null` as well, which tells nobody anything.
const isTelling = ({ keyword, params, schemaPath }: ErrorObject): boolean =>
  !(
    keyword === 'anyOf' ||
    keyword === 'propertyNames' ||
    (keyword === 'type' && params['type'] === 'null' && schemaPath.includes('/anyOf/'))
  )

function described(error: ErrorObject): FieldError {
  const { keyword, params, parentSchema, propertyName } = error
  const instancePath = error.instancePath + (propertyName === undefined ? '' : pointerTo([propertyName]))
  switch (keyword) {
    case 'required':
      return {
        pointer: instancePath + pointerTo([String(params['missingProperty'])]),
        code: 'required',
        detail: 'Is required.',
      }
    case 'additionalProperties':
      return unknownField(instancePath, String(params['additionalProperty']), namesIn(parentSchema))
    case 'enum':
    case 'const':
      return {
        pointer: instancePath,
        code: 'not_in_list',
        detail: 'Is not an allowed value.',
        allowed: params['allowedValues'] ?? [params['allowedValue']],
      }
    case 'format':
      return { pointer: instancePath, code: 'wrong_format', detail: meaningOf(String(params['format'])) }
    default:
      return { pointer: instancePath, code: codes[keyword] ?? 'wrong_format', detail: sentence(error.message) }
  }
}

const namesIn = (schema: ErrorObject['parentSchema']): string[] =>
  Object.keys((schema?.['properties'] as object | undefined) ?? {})

const meaningOf = (format: string): string => meanings[format] ?? `Must match the format ${format}.`

const sentence = (message = 'is not acceptable'): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`

const codes: Record<string, FieldCode> = {
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
