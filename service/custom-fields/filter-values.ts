// The values of a filter by custom fields, as the column holds them. Pure.
import { Fault } from '#contract/faults/fault.ts'
import type { Definition } from './patch-values.ts'
import { valueError } from './value-error.ts'

/** The value's text as it is stored. Refuses what can be no value of the type, and so would silently match nothing. */
export function columnText(definition: Definition, given: string): string {
  const { key, type } = definition
  const text = type === 'user' ? given.toLowerCase() : given
  const detail = type === 'number' ? numberError(text) : valueError(definition, valueOf(type, text), text)?.detail
  if (detail === undefined) return text
  throw filterRefused(key, detail)
}

/** Takes numbers in the form that the database reads too. */
const numberError = (text: string): string | undefined =>
  /^-?\d{1,20}(?:\.\d{1,20})?$/.test(text) ? undefined : 'Must be a number.'

const valueOf = (type: Definition['type'], text: string): unknown =>
  type === 'boolean' && ['true', 'false'].includes(text) ? text === 'true' : text

/** `allowed`, if given, is the list of values that the field takes. */
export function filterRefused(key: string, detail: string, allowed?: readonly string[]): Fault {
  const parameter = `customFields.${key}`
  const error =
    allowed === undefined ? ({ code: 'wrong_format' } as const) : ({ code: 'not_in_list', allowed } as const)
  return new Fault('invalid_parameter', `${parameter}: ${detail}`, { errors: [{ parameter, ...error, detail }] })
}
