// What the database refuses, as something a caller can act on.
import { Fault } from '#contract/fault.ts'
import { UnknownOutcome, isOfAdapter, lossOf, refusalIn } from '#prisma/connection-loss.ts'
import { Prisma } from '#prisma/generated/client.ts'

// SQLSTATE of Postgres, which Prisma hands on; its own codes differ with the way that a statement was made.
const states = {
  unique: '23505',
  foreignKey: '23503',
  check: '23514',
  lockTimeout: '55P03',
  deadlock: '40P01',
  canceled: '57014',
} as const

/** The thrown error itself where it is nothing of the database's. */
export function faultOfDatabase(thrown: unknown): unknown {
  if (thrown instanceof UnknownOutcome) return maybeDone(thrown)
  const loss = lossOf(thrown)
  if (loss !== null) return loss === 'away' ? away(thrown) : busy(thrown)
  if (!(thrown instanceof Prisma.PrismaClientKnownRequestError) && !isOfAdapter(thrown)) return thrown
  const { originalCode, originalMessage = '' } = refusalIn(thrown)
  switch (originalCode) {
    case states.unique:
      return duplicate(fieldIn(originalMessage), undefined, thrown)
    case states.foreignKey:
      return missingReference(fieldIn(originalMessage), thrown)
    case states.check:
      return notATree(originalMessage) ?? thrown
    case states.deadlock:
    case states.lockTimeout:
      return busy(thrown)
    case states.canceled:
      return new Fault('timeout', 'The database did not finish in time. Ask for less at once.', {}, thrown)
    default:
      return thrown
  }
}

const busy = (cause: unknown): Fault =>
  new Fault('unavailable', 'The database is busy. Try again.', { retryAfterSeconds: 1 }, cause)

const away = (cause: unknown): Fault =>
  new Fault('unavailable', 'The database does not answer. Try again.', { retryAfterSeconds: 1 }, cause)

const maybeDone = (cause: unknown): Fault =>
  new Fault(
    'unavailable',
    'The database was lost before it said whether the change is made.',
    {
      retryAfterSeconds: 1,
      hint: 'It may have been made. A POST with an Idempotency-Key can be sent again without doing it twice.',
    },
    cause,
  )

export const duplicate = (field: string, existingId: string | undefined, cause?: unknown): Fault =>
  new Fault('duplicate', `Another object has this \`${field}\`.`, { field, ...(existingId && { existingId }) }, cause)

export const missingReference = (field: string, cause?: unknown): Fault =>
  new Fault(
    'reference_not_found',
    `\`${field}\` names an object that this workspace does not have.`,
    { errors: [{ pointer: `/${field}`, code: 'not_found', detail: 'Does not exist in this workspace.' }] },
    cause,
  )

/** What the trees of tasks and of companies refuse; any other check is for the code to have made before. */
function notATree(message: string): Fault | null {
  const [, column = '', why] = /"(?:task|crm_entity)_(\w+?)_(cycle|depth)"/.exec(message) ?? []
  if (why === undefined) return null
  const field = camelCase(column)
  const detail = why === 'cycle' ? 'Would lie below itself.' : 'Would lie too deep.'
  return new Fault('validation_failed', `${field}: ${detail}`, {
    errors: [{ pointer: `/${field}`, code: why === 'cycle' ? 'wrong_format' : 'too_large', detail }],
  })
}

// The longer names first: `project_member_…` is no column of `project`.
const tables = [
  'project_member',
  'task_assignee',
  'task_blocker',
  'task_crm_entity',
  'deal_contact',
  'crm_domain',
  'crm_email',
  'crm_entity',
  'custom_field',
  'api_key',
  'project',
  'task',
  'document',
  'member',
  'workspace',
  'webhook',
]
const constraint = new RegExp(`"(?:${tables.join('|')})_(\\w+?)_f?key"`)

/** Constraints are named `<table>_<column>_key` and `<table>_<column>_fkey`; columns spell the field with underscores. */
function fieldIn(message: string): string {
  const column = constraint.exec(message)?.[1] ?? 'value'
  return camelCase(column)
}

const camelCase = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
