// The conditions of a list or count: the workspace, the filters, the search `q`, and no deleted objects.
import { Prisma } from '#prisma/generated/client.ts'
import { customFieldConditions } from '../custom-fields/filter-rows.ts'
import type { Call } from '../execution/handler.ts'
import { hasOneSense, isNegated, twoSenses } from '../lists/list-values.ts'
import { listedMax, matching, oneOf, type Match } from '../lists/search-terms.ts'
import { assertSpans } from '../lists/time-range.ts'
import type { Collection } from './define.ts'
import type { Fields, Resource } from './resource.ts'
import { after, before, columnIn, type Filter } from './filters.ts'
import { ofShownProject } from './visibility.ts'
import { refuseParameter } from '../faults/field-refusals.ts'

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
    assertSense(name, value, filter)
    matches.push(await matchOf(filter, value, input, call))
  }
  if (typeof input['q'] === 'string') matches.push(await matching(collection, call, input['q']))
  const byField = input['customFields'] as Parameters<typeof customFieldConditions>[2] | undefined
  if (byField !== undefined) conditions.push(...(await customFieldConditions(collection, input, byField, call)))
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
  const found = await db.$queryRaw<{ id: string }[]>`${ids} LIMIT ${Prisma.raw(String(listedMax + 1))}`
  return found.length <= listedMax ? { all: oneOf(found.map(({ id }) => id)) } : match
}

function assertSense(parameter: string, value: unknown, { all }: Filter): void {
  if (!Array.isArray(value)) return
  const given = value.map(String)
  if (!hasOneSense(given)) refuseParameter(parameter, 'wrong_format', twoSenses)
  if (!all || !given.some(isNegated)) return
  const any = parameter.replace(/All$/, '')
  const detail = `Takes no \`!\`: \`${any}\` leaves out what has a value. One that begins with it is written \`\\!\`.`
  refuseParameter(parameter, 'wrong_format', detail)
}
