// Faults that several nouns throw: of one field of the body or one parameter, where the schema cannot say what is
// wrong; of an object that is not there; of a value that must be unique in a workspace and is taken. Pure.
import { restoreWindowDays } from '#contract/collection/operations.ts'
import { Fault, type FieldCode, type FieldError, type FaultMembers } from '#contract/faults/fault.ts'

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

/** `noun` is what callers call the object, such as `API key`. */
export const notFoundById = (noun: string): Fault => new Fault('not_found', `No ${noun} has this ID.`)

export const rangeNotSatisfiable = (bytes: number): Fault =>
  new Fault('range_not_satisfiable', `The file has ${bytes} bytes.`, { bytes })

/** `what` names the objects in the project, in the plural. */
export const projectArchived = (what: string): Fault =>
  new Fault('project_archived', `The project is archived: its ${what} can be read, not changed.`, {
    hint: 'Unarchive the project first.',
  })

export const missingReference = (field: string, cause?: unknown): Fault =>
  new Fault(
    'reference_not_found',
    `\`${field}\` names an object that this workspace does not have.`,
    { errors: [{ pointer: `/${field}`, code: 'not_found', detail: 'Does not exist in this workspace.' }] },
    cause,
  )

export const duplicate = (field: string, existingId: string | undefined, cause?: unknown): Fault =>
  new Fault('duplicate', `Another object has this \`${field}\`.`, { field, ...(existingId && { existingId }) }, cause)

/** The object that has the value. A deleted one keeps its values as long as it can be restored. */
export type TakenBy = {
  readonly id: string
  readonly deletedAt: string | Date | null
  /** For one that was merged: the object that has taken its place. */
  readonly successorId?: string | null
  /** For one that is hidden with its project. */
  readonly deletedProjectId?: string | null
}

/** The hint says how the value is freed. */
export function valueTaken(field: string, by: TakenBy, detail?: string, members: FaultMembers = {}): Fault {
  const isReplaced = by.deletedAt !== null && (by.successorId ?? null) !== null
  const plain = duplicate(field, (isReplaced ? by.successorId : null) ?? by.id)
  const hint = isReplaced ? 'Another has taken its place: change that one.' : hintOn(by)
  return new Fault('duplicate', detail ?? plain.message, { ...plain.members, ...members, ...(hint && { hint }) })
}

function hintOn({ deletedAt, deletedProjectId = null }: TakenBy): string | null {
  if (deletedProjectId !== null)
    return `It is in the deleted project ${deletedProjectId}: restore that one, or purge it.`
  if (deletedAt === null) return null
  return `It was deleted, and keeps its values for ${restoreWindowDays} days: restore it, or purge it. \`includeDeleted=true\` shows it.`
}

/** The same Fault with other places of what is wrong; that of a parameter is its name as a pointer. */
export function withPlaces({ code, message, members, cause }: Fault, placeOf: (pointer: string) => string): Fault {
  const errors = members.errors?.map(({ parameter = '', pointer = `/${parameter}`, ...error }): FieldError => ({
    pointer: placeOf(pointer),
    ...error,
  }))
  return new Fault(code, message, { ...members, ...(errors && { errors }) }, cause)
}
