// Query parameters as SQL conditions over the table `t`: the kinds of filters that collections declare, and the
// conditions of a list or count, which are the workspace, the filters, the search `q`, and no deleted objects.
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/call.ts'
import { refuseParameter } from '../faults/shared-faults.ts'
import {
  anyAlone,
  hasOneEmptiness,
  hasOneSense,
  isNegated,
  twoSenses,
  assertSpans,
  withoutNegation,
  choiceOf,
  choiceWithEmpty,
} from '../validation/query-parameters.ts'
import type { Collection, Fields, Resource, Filter, LinkedRows, FilterQuery } from './definition.ts'
import { idsOf } from './read-rows.ts'
import { ofShownProject } from './rows.ts'
import { listedMax, matching, oneOf, type Match } from './text-matching.ts'

type Cast = 'uuid' | 'text'

/** Rows whose column, which is never null, holds one of the values. */
export const columnIn = (column: string, cast: Cast = 'text'): Filter => ({
  condition: (given) => {
    const { values, negated } = choiceOf(textsOf(given))
    return negated ? Prisma.sql`NOT (${holdsOne(column, cast, values)})` : holdsOne(column, cast, values)
  },
})

/** Rows whose column holds one of the values, or nothing. */
export const optionalColumnIn = (column: string, cast: Cast = 'text'): Filter => ({
  mayBeEmpty: true,
  condition: (given) =>
    chosen(choiceWithEmpty(textsOf(given)), Prisma.sql`${Prisma.raw(`t.${column}`)} IS NULL`, (values) =>
      holdsOne(column, cast, values),
    ),
})

/** With one value an index gives the rows in the order of its next column; with several it cannot. */
function holdsOne(column: string, cast: Cast, values: readonly string[]): Prisma.Sql {
  const name = Prisma.raw(`t.${column}`)
  return values.length === 1
    ? Prisma.sql`${name} = ${values[0]}::text::${Prisma.raw(cast)}`
    : Prisma.sql`${name} = ANY(${values}::${Prisma.raw(`${cast}[]`)})`
}

/** `isEmpty` and what `holds` returns are conditions; where a field is empty, `holds` may be null. */
export function chosen(
  { values, negated, empty }: ReturnType<typeof choiceWithEmpty>,
  isEmpty: Prisma.Sql,
  holds: (values: readonly string[]) => Prisma.Sql,
): Prisma.Sql {
  const either = [...(empty ? [isEmpty] : []), ...(values.length > 0 ? [holds(values)] : [])]
  const any = either.length === 1 ? either[0]! : Prisma.sql`(${Prisma.join(either, ' OR ')})`
  return negated ? Prisma.sql`(${any}) IS NOT TRUE` : any
}

/** Rows for which a link table holds one of the values, or nothing. */
export const linkIn = (
  table: string,
  owner: string,
  column: string,
  cast: Cast = 'uuid',
  compared: (value: string) => string = String,
) => ({
  mayBeEmpty: true as const,
  linked: (given: unknown, workspaceId: string): LinkedRows => {
    const choice = choiceWithEmpty(textsOf(given))
    const links = Prisma.sql`FROM ${Prisma.raw(table)} l WHERE l.workspace_id = ${workspaceId}::uuid`
    const asked = Prisma.sql`${choice.values.map((value) => compared(value))}::${Prisma.raw(`${cast}[]`)}`
    const held = Prisma.sql`${Prisma.raw(`l.${column}`)} = ANY(${asked})`
    const id = Prisma.raw(`l.${owner}`)
    const own = Prisma.sql`SELECT ${links} AND ${id} = t.id`
    // Not as a join, whose order the planner would choose without knowing how many rows there are.
    const all = chosen(choice, Prisma.sql`NOT EXISTS (${own})`, () => Prisma.sql`EXISTS (${own} AND ${held})`)
    if (choice.negated || choice.empty) return onTheWay(all)
    return { ids: Prisma.sql`SELECT ${id} AS id ${links} AND ${held}`, all, onTheWay: Prisma.sql`(${all}) IS TRUE` }
  },
})

/** Rows whose array column holds any of the values, or nothing. */
export const arrayHasAny = (column: string): Filter => ({
  mayBeEmpty: true,
  condition: (given) => {
    const name = Prisma.raw(`t.${column}`)
    return chosen(
      choiceWithEmpty(textsOf(given)),
      Prisma.sql`${name} = '{}'`,
      (values) => Prisma.sql`${name} && ${values}::text[]`,
    )
  },
})

/** Rows whose array column holds all of the values. */
export const arrayHasAll = (column: string): Filter => ({
  all: true,
  condition: (given) => Prisma.sql`${Prisma.raw(`t.${column}`)} @> ${textsOf(given).map(withoutNegation)}::text[]`,
})

/**
 * How many objects a condition leaves, no statistics say of one workspace: the rows of the order are looked at first,
 * and all are collected where too few of these match.
 */
const onTheWay = (condition: Prisma.Sql): LinkedRows => ({
  ids: null,
  all: condition,
  onTheWay: Prisma.sql`(${condition}) IS TRUE`,
})

/** Rows whose column is null, or is not. */
const emptiness = (column: string): Filter => ({
  linked: (asked) => onTheWay(Prisma.raw(`t.${column} IS ${asked === 'none' ? '' : 'NOT '}NULL`)),
})

/** Rows whose column lies beyond a bound. A row without a value matches neither direction. */
const beyond = (past: '>' | '<', column: string, type: 'timestamptz' | 'date' = 'timestamptz'): Filter => ({
  condition: (bound) => Prisma.sql`${Prisma.raw(`t.${column} ${past}`)} ${bound}::text::${Prisma.raw(type)}`,
})

/** The three filters of a time or a day that can be empty. */
export const spanFilters = <S extends string, F extends string>(
  stem: S,
  field: F,
  column: string,
  type: 'timestamptz' | 'date',
) =>
  ({
    [`${stem}After`]: beyond('>', column, type),
    [`${stem}Before`]: beyond('<', column, type),
    [field]: emptiness(column),
  }) as Readonly<Record<`${S}After` | `${S}Before` | F, Filter>>

/** The expression is that of the sort and of its index. */
const due = (past: '>' | '<'): Filter => ({
  condition: (day) => Prisma.sql`(${Prisma.raw(`t.due_date IS NOT NULL AND ${dueDate} ${past}`)} ${day}::text::date)`,
})
const dueDate = `coalesce(t.due_date, 'infinity')`

/** When something is planned and when it was done, for the tables that have these columns. */
export const planFilters: Readonly<Record<string, Filter>> = {
  ...spanFilters('start', 'startDate', 'start_date', 'date'),
  dueAfter: due('>'),
  dueBefore: due('<'),
  dueDate: emptiness('due_date'),
  ...spanFilters('completed', 'completedAt', 'completed_at', 'timestamptz'),
}

/** Applies the condition unless the flag is true, or another parameter asks for the rows that it leaves out. */
export const unless = (condition: string, isAskedFor: (input: FilterQuery) => boolean = () => false): Filter => ({
  condition: (flag, input) => (flag === true || isAskedFor(input) ? Prisma.sql`TRUE` : Prisma.raw(condition)),
})

const textsOf = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : [String(given)])

/** Rows that a key or a member with one of the ids has made or changed last. */
const byAuthor = (column: string): Filter => ({
  linked: (given) => {
    const { values, negated } = choiceOf(textsOf(given))
    const of = Prisma.sql`${Prisma.raw(`t.${column} ->> 'id'`)} = ANY(${values}::text[])`
    return onTheWay(negated ? Prisma.sql`NOT (${of})` : of)
  },
})

/** Objects with an id in one of these systems, or in none; the first id of each has columns of its own. */
const bySource = (table: string): Filter => ({
  mayBeEmpty: true,
  linked: (given, workspaceId) => {
    const choice = choiceWithEmpty(textsOf(given))
    const holds = (values: readonly string[]) => Prisma.sql`(t.external_source = ANY(${values}::text[]) OR EXISTS (
      SELECT FROM jsonb_array_elements(t.other_external_ids) o WHERE o ->> 'source' = ANY(${values}::text[])))`
    const match = onTheWay(chosen(choice, Prisma.sql`t.external_source IS NULL`, holds))
    if (choice.negated || choice.empty) return match
    const ids = Prisma.sql`SELECT e.object_id AS id FROM external_id e WHERE e.workspace_id = ${workspaceId}::uuid
      AND e.object = ${table} AND e.source = ANY(${choice.values}::text[])`
    return { ...match, ids }
  },
})

/** Objects that have one of the ids in one of the systems that the other parameter names. */
const byExternalId = (table: string): Filter => ({
  linked: (given, workspaceId, { externalSource }) => {
    if (externalSource === undefined)
      refuseParameter('externalSource', 'required', 'Name the system in which the objects have these ids.')
    const { values, negated } = choiceWithEmpty(textsOf(externalSource))
    const named = Prisma.sql`${Prisma.raw(negated ? 'NOT' : '')} e.source = ANY(${values}::text[])`
    const ids = Prisma.sql`SELECT e.object_id AS id FROM external_id e WHERE e.workspace_id = ${workspaceId}::uuid
      AND e.object = ${table} AND e.external_id = ANY(${textsOf(given)}::text[]) AND ${named}`
    return { ids, all: Prisma.sql`t.id IN (${ids})` }
  },
})

/** Objects that somebody with one of these addresses made in the system that they come from. */
const byImportedEmail = (table: string): Filter => ({
  linked: (given, workspaceId) => {
    const emails = textsOf(given).map((email) => email.toLowerCase())
    // The expression is that of an index, which has nothing but what was imported.
    const made = Prisma.sql`(t.imported IS NOT NULL AND t.imported -> 'createdBy' ->> 'email' = ANY(${emails}::text[]))`
    const ids = Prisma.sql`SELECT t.id FROM ${Prisma.raw(table)} t WHERE t.workspace_id = ${workspaceId}::uuid AND ${made}`
    return { ...onTheWay(made), ids }
  },
})

const commonFiltersOf = (table: string): Readonly<Record<string, Filter>> => ({
  ids: columnIn('id', 'uuid'),
  externalSource: bySource(table),
  externalId: byExternalId(table),
  createdAfter: beyond('>', 'created_at'),
  createdBefore: beyond('<', 'created_at'),
  updatedAfter: beyond('>', 'updated_at'),
  updatedBefore: beyond('<', 'updated_at'),
  createdBy: byAuthor('created_by'),
  updatedBy: byAuthor('updated_by'),
  imported: emptiness('imported'),
  importedEmail: byImportedEmail(table),
})

/** Conditions over the table `t` alone. */
export type Conditions = {
  readonly all: readonly Prisma.Sql[]
  /** The same, for looking at one row after the other; null where nothing says that many match. */
  readonly onTheWay: readonly Prisma.Sql[] | null
}

export async function conditionsFor<R extends Resource>(
  collection: Collection<R>,
  input: Fields,
  call: Call,
): Promise<Conditions> {
  assertSpans(input, refuseParameter)
  const filters = { ...commonFiltersOf(collection.table), ...collection.filters }
  const conditions = [Prisma.sql`t.workspace_id = ${call.workspaceId}::uuid`]
  if (input['includeDeleted'] !== true) conditions.push(Prisma.sql`t.deleted_at IS NULL`)
  if (collection.permitted !== undefined) conditions.push(Prisma.raw(`(${collection.permitted})`))
  if (collection.shown !== undefined && input['includeDeleted'] !== true)
    conditions.push(collection.shown.amongMany(call.workspaceId))
  if (collection.hiddenWithProject) conditions.push(ofShownProject(call.workspaceId))
  const matches: Match[] = []
  for (const [name, filter] of Object.entries(filters)) {
    const value = input[name]
    if (value === undefined && !name.startsWith('include')) continue
    assertOneSense(name, value, filter)
    matches.push(await matchOf(filter, value, input, call))
  }
  if (typeof input['q'] === 'string') matches.push(await matching(collection, call, input['q']))
  const byField = input['customFields']
  if (byField !== undefined && collection.customFields !== undefined)
    conditions.push(...(await collection.customFields.conditions(collection.table, input, byField, call)))
  return {
    all: [...conditions, ...matches.map(({ all }) => all)],
    onTheWay: matches.some(({ onTheWay }) => onTheWay !== undefined)
      ? [...conditions, ...matches.map(({ all, onTheWay = all }) => onTheWay)]
      : null,
  }
}

/** Where an index of its own knows the ids, they are collected as long as they are few: no plan can go wrong then. */
async function matchOf(
  filter: Filter,
  value: unknown,
  input: Fields,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
): Promise<Match> {
  if (filter.linked === undefined) return { all: filter.condition(value, input) }
  const asked = filter.prepare === undefined ? value : await filter.prepare(value, { db, workspaceId })
  const { ids, ...match } = filter.linked(asked, workspaceId, input)
  if (ids === null) return match
  const found = await idsOf(db, Prisma.sql`${ids} LIMIT ${Prisma.raw(String(listedMax + 1))}`)
  return found.length <= listedMax ? { all: oneOf(found.map(({ id }) => id)) } : match
}

function assertOneSense(parameter: string, value: unknown, { all, mayBeEmpty }: Filter): void {
  if (!Array.isArray(value)) return
  const given = value.map(String)
  if (mayBeEmpty && !hasOneEmptiness(given)) refuseParameter(parameter, 'wrong_format', anyAlone)
  if (!hasOneSense(given)) refuseParameter(parameter, 'wrong_format', twoSenses)
  if (!all || !given.some(isNegated)) return
  const any = parameter.replace(/All$/, '')
  const detail = `Takes no \`!\`: \`${any}\` leaves out what has a value. One that begins with it is written \`\\!\`.`
  refuseParameter(parameter, 'wrong_format', detail)
}
