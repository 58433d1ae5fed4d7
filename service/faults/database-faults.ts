// Errors of the database as Faults that a caller can act on.
import { unavailable, Fault } from '#contract/faults/fault.ts'
import { Cancelled, OutOfTime } from '#prisma/caller-signal.ts'
import { UnknownOutcome, isAdapterError, lossOf, databaseErrorIn, isDiskFull } from '#prisma/database-errors.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { invalidField, duplicate, missingReference } from './shared-faults.ts'

// SQLSTATE of Postgres, which Prisma hands on; its own codes differ with the way that a statement was made.
const sqlStates = {
  unique: '23505',
  foreignKey: '23503',
  check: '23514',
  lockTimeout: '55P03',
  deadlock: '40P01',
  canceled: '57014',
} as const

/** The field that a constraint is about, by the constraint's name without its ending. */
export type ConstraintFields = ReadonlyMap<string, string>
/** Returns the thrown error itself where it is nothing of the database's. */
export type FaultOfDatabase = (thrown: unknown) => unknown

export const databaseFaults =
  (fields: ConstraintFields): FaultOfDatabase =>
  (thrown) =>
    faultOfDatabase(thrown, fields)

function faultOfDatabase(thrown: unknown, fields: ConstraintFields): unknown {
  if (thrown instanceof UnknownOutcome) return maybeDone(thrown)
  if (thrown instanceof Cancelled) return requestCancelled(thrown)
  if (thrown instanceof OutOfTime) return tooCostly(thrown)
  const loss = lossOf(thrown)
  if (loss !== null) return loss === 'away' ? away(thrown) : busy(thrown)
  if (!(thrown instanceof Prisma.PrismaClientKnownRequestError) && !isAdapterError(thrown)) return thrown
  if (isDiskFull(thrown)) return storageFull(thrown)
  const { originalCode, originalMessage = '' } = databaseErrorIn(thrown)
  switch (originalCode) {
    case sqlStates.unique:
      return duplicate(fieldIn(originalMessage, fields), undefined, thrown)
    case sqlStates.foreignKey:
      return missingReference(fieldIn(originalMessage, fields), thrown)
    case sqlStates.check:
      return notATree(originalMessage, fields) ?? thrown
    case sqlStates.deadlock:
    case sqlStates.lockTimeout:
      return busy(thrown)
    case sqlStates.canceled:
      return new Fault('timeout', 'The database did not finish in time. Ask for less at once.', {}, thrown)
    default:
      return thrown
  }
}

const tooCostly = (cause: unknown): Fault =>
  new Fault(
    'query_too_costly',
    'The query took too long and was stopped.',
    {
      hint: 'Ask for less: a longer or a second word, another filter beside it, or fewer fields and a smaller `limit`.',
    },
    cause,
  )

const busy = (cause: unknown): Fault => unavailable('The database is busy. Try again.', cause)

const away = (cause: unknown): Fault => unavailable('The database does not respond. Try again.', cause)

const retryWhenFullSeconds = 30

const storageFull = (cause: unknown): Fault =>
  new Fault('storage_full', 'The database has no room on its disk.', { retryAfterSeconds: retryWhenFullSeconds }, cause)

const maybeDone = (cause: unknown): Fault =>
  new Fault(
    'unavailable',
    'The database was lost before it said whether the change is made.',
    {
      retryAfterSeconds: 1,
      hint: 'It may have been made. A request with an Idempotency-Key can be sent again without doing it twice.',
    },
    cause,
  )

const treeRefusals = { cycle: 'Would lie below itself.', depth: 'Would lie too deep.' }
const orderRefusals = { cycle: 'Would wait for itself.', depth: 'Would wait for more than 10,000 tasks.' }

/**
 * The refusals of the trees of tasks and of companies, and of the order in which tasks block each other; any other
 * check is for the code to have made before.
 */
function notATree(message: string, fields: ConstraintFields): Fault | null {
  const [, name = '', why] = /"(\w+)_(cycle|depth)"/.exec(message) ?? []
  const field = fields.get(name)
  if (field === undefined) return null
  const detail = (field === 'blockedByIds' ? orderRefusals : treeRefusals)[why === 'cycle' ? 'cycle' : 'depth']
  return invalidField(field, why === 'cycle' ? 'wrong_format' : 'too_large', detail)
}

/** A constraint that no field is known of is an error of ours, and shown as one of a value. */
function fieldIn(message: string, fields: ConstraintFields): string {
  const [, name = ''] = /constraint "(\w+)_f?key"/.exec(message) ?? []
  return fields.get(name) ?? 'value'
}

/**
 * For a call whose caller has gone or has waited long enough. Usually there is no one left to be told; no error of
 * ours.
 */
export const requestCancelled = (cause?: unknown): Fault =>
  new Fault('request_cancelled', 'The request was cancelled before it was complete. Nothing was changed.', {}, cause)
