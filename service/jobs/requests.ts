// What a job is asked for, judged before it is made: the fields of its kind, the scopes that it will need, and whether
// filter and changes are ones that a call would take.
import { commented } from '#contract/comments.ts'
import { operationNamed } from '#contract/api.ts'
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import {
  exportedResources,
  exportScopes,
  fieldsOfKind,
  type ExportedResource,
  type JobKind,
  type JobRequest,
} from '#contract/jobs.ts'
import { covers, type CollectionSegment, type Scope } from '#contract/scopes.ts'
import { newId } from '#runtime/new-id.ts'
import { assertHolds } from '../execution/authorize.ts'
import { invalidField } from '../faults/shared-faults.ts'
import { refusedFields, unknownField } from '../validation/unknown-field.ts'
import { assertInput } from '../validation/validate-operation.ts'

/** Throws for a field that jobs of this kind do not have, and for one that is missing. */
export function assertFieldsOf(kind: JobKind, given: Readonly<Record<string, unknown>>): void {
  const { takes, needs } = fieldsOfKind[kind]
  const foreign = Object.keys(given).find((name) => !takes.some((field) => field === name))
  if (foreign !== undefined) throw invalidField(foreign, 'not_in_list', `Is not of a job of the kind \`${kind}\`.`)
  const missing = needs.find((name) => given[name] === undefined)
  if (missing !== undefined) throw invalidField(missing, 'required', `A job of the kind \`${kind}\` needs it.`)
}

/** Those that are named, each of which the key must be able to read; else all that it can read. */
export function resourcesFor(named: readonly ExportedResource[] | undefined, held: readonly string[]) {
  if (named === undefined) return exportedResources.filter((each) => readScopesOf(each, held).length > 0)
  const lacking = named.filter((each) => readScopesOf(each, held).length === 0)
  assertHolds(
    lacking.map((each) => exportScopes[each] ?? 'tasks:read'),
    held,
    'To export these',
  )
  return exportedResources.filter((each) => named.includes(each))
}

/** The scopes with which these are read. */
export const scopesOfExport = (resources: readonly ExportedResource[], held: readonly string[]): Scope[] => [
  ...new Set(resources.flatMap((each) => readScopesOf(each, held))),
]

/** Empty where the holder can read none. Comments are read with the scope of what they are on. */
function readScopesOf(resource: ExportedResource, held: readonly string[]): Scope[] {
  const own = exportScopes[resource]
  const needed = own === null ? commented.map((segment) => `${segment}:read` as const) : [own]
  return needed.filter((scope) => covers(held, scope))
}

/** Batches need the scope for writing, whatever is in them. */
export const scopesOfChange = (kind: JobKind, resource: CollectionSegment): Scope[] => [
  `${resource}:write`,
  ...(kind === 'delete' ? [`${resource}:delete` as const] : []),
]

/** Returns the filter as the count of the collection takes it. Throws Faults that name places in the request. */
export function filterFor({ resource, filter = {} }: JobRequest): unknown {
  const [count, list] = ['count', 'list'].map((action) => operationNamed(`${resource}.${action}`))
  const filters = Object.keys(count?.input.properties ?? {}).filter((name) => name in (list?.input.properties ?? {}))
  const unknown = Object.keys(filter).filter((name) => !filters.includes(name))
  if (unknown.length > 0) throw refusedFields(unknown.map((name) => unknownField('/filter', name, filters)))
  return within('/filter', () => assertInput(operationNamed(`${resource}.count`), filter))
}

/** Throws where no object could be changed so. */
export function assertChanges({ resource, changes = {} }: JobRequest): void {
  const beside = ['id', 'expectedVersion'].filter((name) => name in changes)
  if (beside.length > 0) throw refusedFields(beside.map((name) => unknownField('/changes', name, [])))
  within('/changes', () => assertInput(operationNamed(`${resource}.update`), { id: newId(), ...changes }))
}

/** Of rows with an own id; others refuse them. */
const upsertOptionNames = ['match', 'onMatch', 'restore'] as const

/** Throws where no row could be read so. What is wrong with a row is told of the row. */
export function assertImport({ resource, format, delimiter, mapping, defaults = {} }: JobRequest): void {
  for (const [name, value] of Object.entries({ delimiter, mapping }))
    if (format !== 'csv' && value !== undefined) throw invalidField(name, 'not_in_list', 'Is of the format `csv`.')
  const [create, upsert] = ['create', 'upsert'].map((action) => operationNamed(`${resource}.${action}`))
  const options = upsertOptionNames.filter((name) => name in (upsert?.input.properties ?? {}))
  const known = [...Object.keys(create?.input.properties ?? {}), ...options]
  const unknown = Object.keys(defaults).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw refusedFields(unknown.map((name) => unknownField('/defaults', name, known)))
}

/** What is refused within a part of the request is refused in the request. */
function within<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    throw thrown instanceof Fault ? placed(place, thrown) : thrown
  }
}

export function placed(place: string, fault: Fault): Fault {
  const { errors } = fault.members
  if (errors === undefined) return fault
  const moved = errors.map(({ parameter, pointer = `/${parameter}`, ...error }): FieldError => ({
    pointer: `${place}${pointer}`,
    ...error,
  }))
  return refusedFields(moved)
}
