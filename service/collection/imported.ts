// Objects that come from another system: what an import tells of their history, over what the object would have by
// itself. `createdAt` and `createdBy` become those of the other system, so that lists are in the order in which things
// happened. `updatedAt` stays the time of the change here, which copies follow. Pure: the functions throw a Fault.
import type { Author, Imported, ImportedInput } from '#contract/imports.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { refuseField } from '../faults/shared-faults.ts'
import { canonicalJson } from '../text/json.ts'

/** What an import may change of an object. */
type Importable = {
  readonly createdAt: string
  readonly createdBy: Author
  readonly imported: Imported | null
  readonly number?: number
  readonly completedAt?: string | null
  readonly closedAt?: string | null
}
type Importer = { readonly actor: Actor; readonly now: Date }

/** `before` is null for a new object. Importing the same once more changes nothing. */
export function withHistory<T extends Importable>(
  next: T,
  before: Importable | null,
  sent: ImportedInput | undefined,
  importer: Importer,
): T {
  if (sent === undefined) return next
  const given = inMilliseconds(sent)
  assertPast(given, importer.now.toISOString())
  assertNumber(before, given)
  const imported = importedOf(next, given, importer)
  const { createdAt = next.createdAt, number } = given
  const after = {
    ...next,
    createdAt,
    createdBy: unlessSame(next.createdBy, authorOf(next, given, imported)),
    ...endIn(next, given),
    ...(number !== undefined && { number }),
    imported: unlessSame(next.imported, imported),
  }
  assertOrder(after, given)
  return after
}

/** Whoever made the object is no longer named: for what is purged. */
export const withoutHistory = <T extends Importable>(object: T): T =>
  object.imported === null
    ? object
    : { ...object, createdBy: object.imported.importedBy, imported: { ...object.imported, createdBy: null } }

function importedOf({ imported }: Importable, given: ImportedInput, { actor, now }: Importer): Imported {
  const start = imported ?? { importedAt: now.toISOString(), importedBy: actor, updatedAt: null, createdBy: null }
  const { createdBy, updatedAt = start.updatedAt } = given
  if (createdBy === undefined) return { ...start, updatedAt }
  const person = createdBy && { name: createdBy.name, email: createdBy.email?.toLowerCase() ?? null }
  return { ...start, updatedAt, createdBy: person }
}

function authorOf(
  { createdBy }: Importable,
  given: ImportedInput,
  { importedBy, createdBy: person }: Imported,
): Author {
  if (given.createdBy === undefined) return createdBy
  return person === null ? importedBy : { type: 'imported', id: importedBy.id, name: person.name }
}

/** The database returns the members of an object in an order of its own, which is no change. */
const unlessSame = <T>(stored: T, value: T): T => (canonicalJson(stored) === canonicalJson(value) ? stored : value)

const endFields = ['completedAt', 'closedAt'] as const

/** The schema has the field of this collection alone. */
function endIn(next: Importable, given: ImportedInput) {
  const field = endFields.find((each) => given[each] !== undefined)
  if (field === undefined) return {}
  if ((next[field] ?? null) === null) refuseField(`imported/${field}`, 'read_only', 'Only what has ended has it.')
  return { [field]: given[field] }
}

function assertNumber(before: Importable | null, { number }: ImportedInput): void {
  if (before === null || number === undefined || number === before.number) return
  refuseField('imported/number', 'read_only', `The task has the number ${before.number}, and keeps it.`)
}

const times = ['createdAt', 'updatedAt', ...endFields] as const

/** As times are stored, which can then be compared as text. */
function inMilliseconds(given: ImportedInput): ImportedInput {
  const stored = times.flatMap((field) => {
    const time = given[field] ?? null
    return time === null ? [] : [[field, new Date(time).toISOString()]]
  })
  return { ...given, ...Object.fromEntries(stored) }
}

const earliest = '1900-01-01T00:00:00.000Z'

function assertPast(given: ImportedInput, now: string): void {
  for (const field of times) {
    const time = given[field] ?? null
    if (time === null) continue
    if (time > now) refuseField(`imported/${field}`, 'too_large', 'Lies in the future.')
    if (time < earliest) refuseField(`imported/${field}`, 'too_small', 'Lies before 1900.')
  }
}

function assertOrder({ createdAt, imported, completedAt, closedAt }: Importable, given: ImportedInput): void {
  const later = { updatedAt: imported?.updatedAt, completedAt, closedAt }
  for (const field of ['updatedAt', ...endFields] as const) {
    const time = later[field] ?? null
    if (time === null || time >= createdAt) continue
    if (given[field] === undefined) refuseField('imported/createdAt', 'too_large', `Is after \`${field}\`, ${time}.`)
    refuseField(`imported/${field}`, 'too_small', `Is before \`createdAt\`, ${createdAt}: send that as well.`)
  }
}
