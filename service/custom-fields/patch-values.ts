// A patch of an object's custom fields, checked against the workspace's definitions and merged (RFC 7396). Pure. Values
// that the patch does not change are not checked again, even when a definition has become stricter since.
import type { CustomField } from '#contract/custom-fields.ts'
import type { FieldError } from '#contract/faults/fault.ts'
import { refusedFields, unknownField } from '../validation/unknown-field.ts'
import { valueError } from './value-error.ts'

export type Definition = Pick<CustomField, 'key' | 'type' | 'options' | 'required'> & { readonly archived: boolean }
export type Values = Readonly<Record<string, unknown>>
type Change = { readonly definition: Definition; readonly from: unknown; readonly to: unknown }

const errorsMax = 20

/** Returns the object's values after the patch. `before` is null for a new object. Throws for every value at once. */
export function mergeValues(
  definitions: readonly Definition[],
  before: Values | null,
  patch: Values = {},
): Record<string, unknown> {
  const changes = changesIn(definitions, before ?? {}, patch)
  const errors = [
    ...unknownKeys(definitions, patch),
    ...changes.flatMap(errorsIn),
    ...missingKeys(definitions, changes, before === null),
  ]
  if (errors.length > 0) throw refusedFields(errors.slice(0, errorsMax))
  return merged(before ?? {}, changes)
}

/** The ids of members that the patch adds, each with its field. Whether they exist is for the caller to look up. */
export const newMembers = (
  definitions: readonly Definition[],
  before: Values | null,
  patch: Values = {},
): { field: string; id: string }[] =>
  changesIn(definitions, before ?? {}, patch)
    .filter(({ definition, to }) => definition.type === 'user' && typeof to === 'string')
    .map(({ definition, to }) => ({ field: `customFields/${definition.key}`, id: String(to) }))

function changesIn(definitions: readonly Definition[], before: Values, patch: Values): Change[] {
  return definitions
    .filter(({ key }) => Object.hasOwn(patch, key))
    .map((definition) => ({
      definition,
      from: before[definition.key],
      to: storedForm(definition, patch[definition.key]),
    }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}

/** Ids are stored in lower case. Empty text is no value, as in every field that takes text. */
function storedForm({ type }: Definition, value: unknown): unknown {
  if (value === '' && isText[type]) return null
  return type === 'user' && typeof value === 'string' ? value.toLowerCase() : value
}

const isText: Readonly<Record<Definition['type'], boolean>> = {
  text: true,
  url: true,
  date: true,
  select: true,
  user: true,
  multi_select: false,
  number: false,
  boolean: false,
}

function errorsIn({ definition, from, to }: Change): FieldError[] {
  const pointer = `/customFields/${definition.key}`
  if (definition.archived) return [{ pointer, code: 'read_only', detail: 'The custom field is archived.' }]
  const error = to === null ? null : valueError(definition, to, from)
  return error === null ? [] : [{ pointer, ...error }]
}

function unknownKeys(definitions: readonly Definition[], patch: Values): FieldError[] {
  const known = new Set(definitions.map(({ key }) => key))
  const offered = definitions.filter(({ archived }) => !archived).map(({ key }) => key)
  return Object.keys(patch)
    .filter((key) => !known.has(key))
    .slice(0, errorsMax)
    .map((key) => unknownField('/customFields', key, offered))
}

/** The required fields that a new object lacks, or that a change would clear. */
function missingKeys(definitions: readonly Definition[], changes: readonly Change[], isNew: boolean): FieldError[] {
  const given = new Map(changes.map(({ definition, to }) => [definition.key, to]))
  return definitions
    .filter(({ required, archived, key }) => required && !archived && (isNew || given.has(key)))
    .filter(({ key }) => isEmpty(given.get(key)))
    .map(({ key }) => ({ pointer: `/customFields/${key}`, code: 'required', detail: 'Is required.' }))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

function merged(before: Values, changes: readonly Change[]): Record<string, unknown> {
  const values = new Map(Object.entries(before))
  for (const { definition, to } of changes) {
    if (to === null) values.delete(definition.key)
    else values.set(definition.key, to)
  }
  return Object.fromEntries(values)
}
