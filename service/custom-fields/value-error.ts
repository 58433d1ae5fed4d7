// What a value of a custom field must look like, by the field's type, and the error for one that does not. Pure.
import type { CustomField } from '#contract/custom-fields.ts'
import type { FieldError } from '#contract/faults/fault.ts'
import { DateOnly, Id } from '#contract/shared-fields.ts'
import { isOf } from '../validation/schema-validator.ts'

type ValueError = Omit<FieldError, 'pointer'>
type Choice = Pick<CustomField, 'type' | 'options'>

const textLengthMax = 2_000
const urlLengthMax = 2_048
const chosenMax = 50
const numberMax = 2 ** 53

const isDate = isOf(DateOnly)
const isId = isOf(Id)

/** Returns null for a valid value. `old` is the value so far: an option in it may stay although it was removed. */
export function valueError({ type, options }: Choice, value: unknown, old: unknown): ValueError | null {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? tooLong(value, textLengthMax) : wrongType('text')
    case 'number':
      return typeof value === 'number' && !Number.isNaN(value) ? outOfRange(value) : wrongType('a number')
    case 'date':
      return isDate(value) ? null : wrongFormat('a day of the calendar, YYYY-MM-DD')
    case 'boolean':
      return typeof value === 'boolean' ? null : wrongType('true or false')
    case 'select':
      return notChoosable([value], allowed(options, [old]))
    case 'multi_select':
      return Array.isArray(value) ? badChoice(value, allowed(options, old)) : wrongType('a list of options')
    case 'user':
      return isId(value) ? null : wrongFormat('the id of a member, or `me`')
    case 'url':
      return typeof value === 'string' ? (tooLong(value, urlLengthMax) ?? notAnAddress(value)) : wrongType('text')
    default:
      return type satisfies never
  }
}

const wrongType = (wanted: string): ValueError => ({ code: 'wrong_type', detail: `Must be ${wanted}.` })
const wrongFormat = (wanted: string): ValueError => ({ code: 'wrong_format', detail: `Must be ${wanted}.` })

/** Counted in characters, as everywhere in the API. */
function tooLong(text: string, max: number): ValueError | null {
  if (text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max)) return null
  return { code: 'too_long', detail: `Must not have more than ${max} characters.` }
}

/** Beyond 2^53 a JSON number no longer tells neighbouring whole numbers apart. */
function outOfRange(value: number): ValueError | null {
  if (Math.abs(value) <= numberMax) return null
  return { code: value > 0 ? 'too_large' : 'too_small', detail: 'Must lie within plus and minus 2^53.' }
}

const allowed = (options: readonly string[], old: unknown): readonly unknown[] => [
  ...new Set<unknown>([...options, ...(Array.isArray(old) ? old : [])]),
]

function notChoosable(chosen: readonly unknown[], among: readonly unknown[]): ValueError | null {
  const options = among.filter((option) => typeof option === 'string')
  if (chosen.every((one) => options.some((option) => option === one))) return null
  return { code: 'not_in_list', detail: 'Is not an allowed value.', allowed: options }
}

function badChoice(chosen: readonly unknown[], among: readonly unknown[]): ValueError | null {
  if (chosen.length > chosenMax) return { code: 'too_long', detail: `Must not have more than ${chosenMax} options.` }
  if (new Set(chosen).size < chosen.length) return { code: 'not_unique', detail: 'Names an option twice.' }
  return notChoosable(chosen, among)
}

function notAnAddress(text: string): ValueError | null {
  const protocol = URL.parse(text)?.protocol ?? ''
  return ['http:', 'https:'].includes(protocol) ? null : wrongFormat('an address that begins with http:// or https://')
}
