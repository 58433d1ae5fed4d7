// Values against the contract's schemas. What does not fit is described field by field, unknown names with the
// nearest known one.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { closest } from 'fastest-levenshtein'
import type { Static, TSchema } from 'typebox'
import type { FieldCode, FieldError } from '#contract/fault.ts'
import { formats } from './formats.ts'

const errorsMax = 20

const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true, ownProperties: true })
addFormats.default(ajv)
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate)

/** A type guard made from a schema. */
export function isOf<T extends TSchema>(schema: T): (value: unknown) => value is Static<T> {
  const validate = ajv.compile(schema)
  return (value): value is Static<T> => validate(value)
}

export type Check = (value: unknown) => readonly FieldError[]

/** For what comes in. Nothing wrong: an empty list. */
export function checker(schema: TSchema): Check {
  const check = outputChecker(schema)
  return (value) => {
    const unstorable = unstorableAt(value, '')
    if (unstorable === null) return check(value)
    return [{ pointer: unstorable, code: 'wrong_format', detail: 'Holds a character that cannot be stored.' }]
  }
}

/** For what goes out: it comes from the database, or goes nowhere. */
export function outputChecker(schema: TSchema): Check {
  const validate: ValidateFunction = ajv.compile(schema)
  return (value) =>
    validate(value) ? [] : (validate.errors ?? []).filter(isTelling).slice(0, errorsMax).map(described)
}

/** A NUL or half a surrogate pair, in a value or a name: no database text can hold them. */
function unstorableAt(value: unknown, pointer: string): string | null {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0') ? null : pointer
  if (value === null || typeof value !== 'object') return null
  for (const [name, inner] of Object.entries(value)) {
    const at = unstorableAt(name, pointer) ?? unstorableAt(inner, `${pointer}/${name}`)
    if (at !== null) return at
  }
  return null
}

// A nullable value that does not fit fails against `null` as well, which tells nobody anything.
const isTelling = ({ keyword, params, schemaPath }: ErrorObject): boolean =>
  !(keyword === 'anyOf' || (keyword === 'type' && params['type'] === 'null' && schemaPath.includes('/anyOf/')))

function described(error: ErrorObject): FieldError {
  const { instancePath, keyword, params, parentSchema } = error
  switch (keyword) {
    case 'required':
      return { pointer: `${instancePath}/${params['missingProperty']}`, code: 'required', detail: 'Is required.' }
    case 'additionalProperties':
      return unknownField(instancePath, String(params['additionalProperty']), parentSchema)
    case 'enum':
    case 'const':
      return {
        pointer: instancePath,
        code: 'not_in_list',
        detail: 'Is not an allowed value.',
        allowed: params['allowedValues'] ?? [params['allowedValue']],
      }
    default:
      return { pointer: instancePath, code: codes[keyword] ?? 'wrong_format', detail: sentence(error.message) }
  }
}

function unknownField(path: string, name: string, schema: ErrorObject['parentSchema']): FieldError {
  const known = Object.keys((schema?.['properties'] as object | undefined) ?? {})
  return { pointer: `${path}/${name}`, code: 'unknown', detail: `Unknown field.${didYouMean(name, known)}` }
}

export function didYouMean(name: string, known: readonly string[]): string {
  return known.length === 0 ? '' : ` Did you mean \`${closest(name, [...known])}\`?`
}

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
  propertyNames: 'wrong_format',
}
