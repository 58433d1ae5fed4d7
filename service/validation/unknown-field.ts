// An unknown field is refused by its name, with the known one that was probably meant.
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import { pointerTo } from '../text/json-pointer.ts'
import { didYouMean } from '../text/suggestion.ts'

/** `parent` is the pointer of the object that holds the field; empty for the whole input. */
export const unknownField = (parent: string, name: string, known: readonly string[]): FieldError => ({
  pointer: parent + pointerTo([name]),
  code: 'unknown',
  detail: `Unknown field.${didYouMean(name, known)}`,
})

/** A Fault of these errors: `unknown_field` when all are unknown fields, else `validation_failed`. */
export function refusedFields(errors: readonly FieldError[]): Fault {
  const code = errors.every((error) => error.code === 'unknown') ? 'unknown_field' : 'validation_failed'
  const details = errors.slice(0, 3).map(({ pointer, detail }) => `${pointer}: ${detail}`)
  return new Fault(code, details.join(' '), { errors })
}
