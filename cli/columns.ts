// Which columns the table of a list has: what tells its objects apart and what one looks for in them, narrow enough for
// a terminal. `--fields` chooses others, `--json` has everything.
type AnswerRow = Readonly<Record<string, unknown>>

/** By what the objects are. `createdBy.name` is a field within a field. */
export const columnsByObject: Readonly<Record<string, string>> = {
  project: 'key name status health priority dueDate',
  task: 'identifier title status priority dueDate',
  crm_entity: 'id kind name stage domains emails',
  document: 'id title status folder updatedAt',
  comment: 'id createdAt createdBy.name subject.id body',
  file: 'id name type bytes status createdAt',
  event: 'sequence occurredAt type resource.id actor.name',
  api_key: 'id name prefix status lastUsedAt expiresAt',
  logged_request: 'at status method path code ms apiKeyName',
  webhook: 'id name url status eventTypes',
  delivery: 'id createdAt eventType status attemptCount lastStatusCode lastErrorCode',
  inspected_request: 'id receivedAt eventType attempt method path answeredStatus',
  job: 'id kind status done refused createdAt',
  alarm: 'id kind subject.name openedAt dueAt count',
  audit_entry: 'number at actor.name action target.name outcome',
  session: 'id createdAt lastUsedAt ip current',
  email_change: 'memberId name email newEmail expiresAt',
  legal_hold: 'id reason createdBy.name createdAt',
  workspace_deletion: 'id status createdAt createdBy.name removedAt',
  resource: 'uri name title size updatedAt',
}

/** Of what has no columns of its own: the first of these, in this order. */
const columnsInGeneral = (
  'number sequence at changedAt startedAt field from to id identifier key name title slug target type label kind ' +
  'prefix email role url trigger method path action outcome surface scope eventType summary status ' +
  'attemptCount durationMs errorCode ms timeZone createdAt expiresAt lastSeenAt'
).split(' ')
const columnsMax = 6

/** Objects that are deleted have few of their fields, so all rows are looked at. */
export function columnsOf(rows: readonly AnswerRow[]): string[] {
  const [first = {}] = rows
  const own = columnsByObject[String(first['object'])]?.split(' ') ?? []
  const isThere = (path: string): boolean => rows.some((row) => valueAt(row, path) !== undefined)
  const isPlain = (name: string): boolean => rows.every((row) => !isNested(row[name]))
  // Some have one column of these alone, such as the files that an answer has in it.
  const found = own.filter(isThere)
  if (found.length > 1) return found
  const known = columnsInGeneral.filter((name) => isThere(name) && isPlain(name))
  return (known.length > 0 ? known : Object.keys(first)).slice(0, columnsMax)
}

/** Undefined where the row has no such field. */
export function valueAt(row: AnswerRow, path: string): unknown {
  let found: unknown = row
  for (const name of path.split('.')) {
    if (found === null || found === undefined) return found
    found = (found as AnswerRow)[name]
  }
  return found
}

export const isNested = (value: unknown): value is AnswerRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
