// The custom fields of an object: a patch is checked against the workspace's definitions and merged (RFC 7396). Values
// that the patch does not change are not checked again, even when a definition has become stricter since.
import type { CustomFieldTarget, CustomField } from '#contract/custom-fields.ts'
import type { FieldError } from '#contract/faults/fault.ts'
import { DateOnly, Id } from '#contract/shared-fields.ts'
import type { Call } from '../execution/call.ts'
import { invalidField } from '../faults/shared-faults.ts'
import { assertAreMembers, isMemberName, memberIdsNamed, noOwner } from '../members/rows.ts'
import { editedList, isListEdit, listEditErrors } from '../collection/list-edits.ts'
import { isOf } from '../validation/schema-validator.ts'
import { refusedFields, unknownField } from '../validation/unknown-field.ts'
import { findDefinitions } from './rows.ts'
import type { Definition } from './rules.ts'

type ValuesToWrite = {
  readonly target: CustomFieldTarget
  readonly before: Values | null
  readonly patch: Values | undefined
}

/** Returns the values to be written. `before` is null for a new object, `patch` undefined when the caller sent none. */
export async function resolveCustomFields(
  { target, before, patch: given }: ValuesToWrite,
  call: Call,
): Promise<Record<string, unknown>> {
  const { db, workspaceId, hasCustomFields } = call
  if (given === undefined && (before !== null || !hasCustomFields)) return { ...before }
  const definitions = await findDefinitions(db, workspaceId, target)
  const patch = given && (await withMemberIds(definitions, given, call))
  const values = mergeValues(definitions, before, patch)
  await assertAreMembers(db, workspaceId, newMembers(definitions, before, patch))
  return values
}
export type Values = Readonly<Record<string, unknown>>
type ValueChange = { readonly definition: Definition; readonly from: unknown; readonly to: unknown }

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
    ...Object.entries(patch).flatMap(([key, value]) =>
      isListEdit(value) ? listEditErrors(`/customFields/${key}`, value) : [],
    ),
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

function changesIn(definitions: readonly Definition[], before: Values, patch: Values): ValueChange[] {
  return definitions
    .filter(({ key }) => Object.hasOwn(patch, key))
    .map((definition) => ({
      definition,
      from: before[definition.key],
      to: storedForm(definition, patch[definition.key], before[definition.key]),
    }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}

/** Ids are stored in lower case. Empty text is no value, as in every field that takes text. */
function storedForm({ type }: Definition, value: unknown, before: unknown): unknown {
  if (value === '' && isText[type]) return null
  if (type === 'multi_select' && isListEdit(value)) return editedList(Array.isArray(before) ? before : [], value)
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

function errorsIn({ definition, from, to }: ValueChange): FieldError[] {
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
function missingKeys(
  definitions: readonly Definition[],
  changes: readonly ValueChange[],
  isNew: boolean,
): FieldError[] {
  const given = new Map(changes.map(({ definition, to }) => [definition.key, to]))
  return definitions
    .filter(({ required, archived, key }) => required && !archived && (isNew || given.has(key)))
    .filter(({ key }) => isEmpty(given.get(key)))
    .map(({ key }) => ({ pointer: `/customFields/${key}`, code: 'required', detail: 'Is required.' }))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

function merged(before: Values, changes: readonly ValueChange[]): Record<string, unknown> {
  const values = new Map(Object.entries(before))
  for (const { definition, to } of changes) {
    if (to === null) values.delete(definition.key)
    else values.set(definition.key, to)
  }
  return Object.fromEntries(values)
}

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
      return isId(value) ? null : wrongFormat('the id or email of a member, or `me`')
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
  return { code: 'not_in_list', detail: 'This value is not allowed.', allowed: options }
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

/** Replaces `me` and emails by members' ids. Throws `validation_failed` for what stands for none. */
async function withMemberIds(
  definitions: readonly Pick<Definition, 'key' | 'type'>[],
  patch: Values,
  call: Call,
): Promise<Values> {
  const named = definitions.flatMap(({ key, type }): [string, string][] => {
    const name = patch[key]
    return type === 'user' && isMemberName(name) ? [[key, name]] : []
  })
  if (named.length === 0) return patch
  const ids = await memberIdsNamed([...new Set(named.map(([, name]) => name))], call)
  const replaced = named.map(([key, name]): [string, string] => {
    const id = ids.get(name)
    if (id !== undefined) return [key, id]
    throw invalidField(`customFields/${key}`, ...noMemberNamed(name))
  })
  return { ...patch, ...Object.fromEntries(replaced) }
}

const noMemberNamed = (name: string): [code: 'wrong_format' | 'not_found', detail: string] =>
  name.toLowerCase() === 'me' ? ['wrong_format', noOwner] : ['not_found', `No member is called \`${name}\`.`]
