// Refusals of one field of the body or one parameter, where the schema cannot say what is wrong. Pure.
import { Fault, type FieldCode } from '#contract/faults/fault.ts'

/** A `validation_failed` (422). `field` is a name, or a path such as `amount/currency`. */
export const invalidField = (field: string, code: FieldCode, detail: string): Fault =>
  new Fault('validation_failed', `${field}: ${detail}`, { errors: [{ pointer: `/${field}`, code, detail }] })

export function refuseField(field: string, code: FieldCode, detail: string): never {
  throw invalidField(field, code, detail)
}

/** An `invalid_parameter` (400) for a parameter of the path or query. */
export const invalidParameter = (parameter: string, code: FieldCode, detail: string): Fault =>
  new Fault('invalid_parameter', `${parameter}: ${detail}`, { errors: [{ parameter, code, detail }] })

export function refuseParameter(parameter: string, code: FieldCode, detail: string): never {
  throw invalidParameter(parameter, code, detail)
}

/** A `validation_failed` (422) for one value of the body. `pointer` is a JSON Pointer, such as `/expiresAt`. */
export const invalidValue = (pointer: string, code: FieldCode, detail: string): Fault =>
  new Fault('validation_failed', `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] })
