// Query parameters as SQL conditions over the table `t`: the kinds of filters that collections declare, and the
// conditions of a list or count, which are the workspace, the filters, the search `q`, and no deleted objects.
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/call.ts'
import { refuseParameter } from '../faults/shared-faults.ts'
import {
  hasOneSense,
  isNegated,
  twoSenses,
  assertSpans,
  withoutNegation,
  choiceOf,
} from '../validation/query-parameters.ts'
import type { Collection, Fields, Resource, Filter, LinkedRows, FilterQuery } from './definition.ts'
import { idsOf } from './read-rows.ts'
import { ofShownProject } from './rows.ts'
import { listedMax, matching, oneOf, type Match } from './text-matching.ts'

type Cast = 'uuid' | 'text'

/** Rows whose column holds one of the values. */
export const columnIn = (column: string, cast: Cast = 'text'): Filter => ({
  condition: (given) => {
    const { values, negated } = choice(given)
    const name = Prisma.raw(`t.${column}`)
    const type = Prisma.raw(`${cast}[]`)
    // With one value an index gives the rows in the order of its next column; with several it cannot.
    if (values.length === 1 && !negated) return Prisma.sql`${name} = ${values[0]}::text::${Prisma.raw(cast)}`
    return negated
      ? Prisma.sql`(${name} IS NULL OR ${name} <> ALL(${values}::${type}))`
      : Prisma.sql`${name} = ANY(${values}::${type})`
  },
})

/** Rows for which a link table holds one of the values. */
export const linkIn = (table: string, owner: string, column: string, cast: Cast = 'uuid') => ({
  linked: (given: unknown, workspaceId: string): LinkedRows => {
    const { values, negated } = choice(given)
    const links = Prisma.sql`FROM ${Prisma.raw(table)} l WHERE l.workspace_id = ${workspaceId}::uuid
      AND ${Prisma.raw(`l.${column}`)} = ANY(${values}::${Prisma.raw(`${cast}[]`)})`
    const id = Prisma.raw(`l.${owner}`)
    const exists = Prisma.sql`EXISTS (SELECT ${links} AND ${id} = t.id)`
    // Not as a join, whose order the planner would choose without knowing how many rows there are.
    if (negated)
      return { ids: null, all: Prisma.sql`(${exists}) IS NOT TRUE`, onTheWay: Prisma.sql`(${exists}) IS NOT TRUE` }
    return { ids: Prisma.sql`SELECT ${id} AS id ${links}`, all: exists, onTheWay: Prisma.sql`(${exists}) IS TRUE` }
  },
})

/** Rows whose array column holds any of the values. */
export const arrayHasAny = (column: string): Filter => ({
  condition: (given) => {
    const { values, negated } = choice(given)
    const overlaps = Prisma.sql`${Prisma.raw(`t.${column}`)} && ${values}::text[]`
    return negated ? Prisma.sql`NOT (${overlaps})` : overlaps
  },
})

/** Rows whose array column holds all of the values. */
export const arrayHasAll = (column: string): Filter => ({
  all: true,
  condition: (given) => Prisma.sql`${Prisma.raw(`t.${column}`)} @> ${textsOf(given).map(withoutNegation)}::text[]`,
})

const after = (column: string): Filter => ({
  condition: (value) => Prisma.sql`${Prisma.raw(`t.${column}`)} > ${value}::text::timestamptz`,
})

const before = (column: string): Filter => ({
  condition: (value) => Prisma.sql`${Prisma.raw(`t.${column}`)} < ${value}::text::timestamptz`,
})

/** A row without a due date matches neither direction. The expression is that of the sort and of its index. */
export const due = (past: '>' | '<'): Filter => ({
  condition: (day) => Prisma.sql`(${Prisma.raw(`t.due_date IS NOT NULL AND ${dueDate} ${past}`)} ${day}::text::date)`,
})
const dueDate = `coalesce(t.due_date, 'infinity')`

/** Applies the condition unless the flag is true, or another parameter asks for the rows that it leaves out. */
export const unless = (condition: string, isAskedFor: (input: FilterQuery) => boolean = () => false): Filter => ({
  condition: (flag, input) => (flag === true || isAskedFor(input) ? Prisma.sql`TRUE` : Prisma.raw(condition)),
})

const textsOf = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : [String(given)])

const choice = (given: unknown) => choiceOf(textsOf(given))

const commonFilters: Readonly<Record<string, Filter>> = {
  ids: columnIn('id', 'uuid'),
  externalSource: columnIn('external_source'),
  createdAfter: after('created_at'),
  createdBefore: before('created_at'),
  updatedAfter: after('updated_at'),
  updatedBefore: before('updated_at'),
}

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
  const filters = { ...commonFilters, ...collection.filters }
  const conditions = [Prisma.sql`t.workspace_id = ${call.workspaceId}::uuid`]
  if (input['includeDeleted'] !== true) conditions.push(Prisma.sql`t.deleted_at IS NULL`)
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
  const { ids, ...match } = filter.linked(value, workspaceId)
  if (ids === null) return match
  const found = await idsOf(db, Prisma.sql`${ids} LIMIT ${Prisma.raw(String(listedMax + 1))}`)
  return found.length <= listedMax ? { all: oneOf(found.map(({ id }) => id)) } : match
}

function assertOneSense(parameter: string, value: unknown, { all }: Filter): void {
  if (!Array.isArray(value)) return
  const given = value.map(String)
  if (!hasOneSense(given)) refuseParameter(parameter, 'wrong_format', twoSenses)
  if (!all || !given.some(isNegated)) return
  const any = parameter.replace(/All$/, '')
  const detail = `Takes no \`!\`: \`${any}\` leaves out what has a value. One that begins with it is written \`\\!\`.`
  refuseParameter(parameter, 'wrong_format', detail)
}
