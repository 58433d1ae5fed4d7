// Counts of a collection: how many objects match, what a field of them adds up to, and both by the values of one or two
// fields. An object with several values of a field, such as labels, is in the group of each.
import type { SchemaNode } from '#contract/json-schema.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Call } from '../execution/call.ts'
import { refuseParameter } from '../faults/shared-faults.ts'
import { findTimeZone } from '../workspaces/rows.ts'
import { isTimeZone } from '../workspaces/rules.ts'
import {
  columnOf,
  type Collection,
  type CollectionHandler,
  type Fields,
  type Group,
  type Resource,
} from './definition.ts'
import { conditionsFor } from './filters.ts'
import { countGroups, countMatching, sumMatching, type Matching, type Summed } from './read-rows.ts'
import { withHidden } from './rows.ts'

type CountInput = {
  readonly groupBy?: readonly string[]
  readonly sum?: string
  readonly timeZone?: string
}

export function countHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { groupBy = [], sum, timeZone, ...filters } = given as Fields & CountInput
    if (timeZone !== undefined && !isTimeZone(timeZone))
      refuseParameter('timeZone', 'wrong_format', 'Must be an IANA time zone, such as Europe/Berlin.')
    const { all } = await conditionsFor(collection, filters, call)
    const matching = { from: withHidden(collection).from, conditions: all }
    const summed = sum === undefined ? undefined : summedBy(sum)
    const totals = await totalsOf(matching, summed, call)
    if (groupBy.length === 0) return { ...totals, groups: [], moreGroups: 0 }
    const groups: Group[] = []
    for (const [at, name] of groupBy.entries())
      groups.push(await groupOf(collection, name, `g${at}`, { timeZone, filters }, call))
    return { ...totals, ...(await groupsOf(matching, groups, summed, call)) }
  }
}

type Totals = { readonly total: number; readonly sums?: readonly Sum[] }
type Sum = { readonly currency: string | null; readonly sum: string }

async function totalsOf(matching: Matching, summed: Summed | undefined, { db }: Call): Promise<Totals> {
  if (summed === undefined) {
    const [row] = await countMatching(db, matching)
    return { total: Number(row?.total ?? 0) }
  }
  const rows = await sumMatching(db, matching, summed)
  return { total: rows.reduce((total, { count }) => total + Number(count), 0), sums: sumsIn(rows) }
}

type SumRow = { readonly currency: string | null; readonly sum: string | null }

/** What has no value adds nothing, and is no currency of its own. */
const sumsIn = (rows: readonly SumRow[]): Sum[] =>
  rows.flatMap(({ currency, sum }) => (sum === null ? [] : [{ currency, sum }]))

async function groupsOf(matching: Matching, groups: readonly Group[], summed: Summed | undefined, { db }: Call) {
  const rows = await countGroups(db, matching, groups, summed)
  return {
    groups: rows.map(({ value, second, count, sums }) => ({
      value,
      ...(groups.length > 1 && { values: [value, second] }),
      count: Number(count),
      ...(summed !== undefined && { sums: sumsIn(sums as SumRow[]) }),
    })),
    moreGroups: Number(rows[0]?.groups ?? 0) - rows.length,
  }
}

/** An amount is an object of number and currency; any other number is a column of its own. */
const summedBy = (field: string): Summed =>
  field === 'amount'
    ? { number: Prisma.sql`(t.amount ->> 'amount')::numeric`, currency: Prisma.sql`t.amount ->> 'currency'` }
    : { number: Prisma.raw(`t.${columnOf(field)}::numeric`), currency: Prisma.sql`NULL::text` }

type Asked = { readonly timeZone: string | undefined; readonly filters: Fields }

/** `alias` is that of what the group joins. */
async function groupOf<R extends Resource>(
  { fields, links, customFields }: Collection<R>,
  name: string,
  alias: string,
  { timeZone, filters }: Asked,
  call: Call,
): Promise<Group> {
  if (name.startsWith('customFields.')) {
    const key = name.slice('customFields.'.length)
    if (customFields === undefined) refuseParameter('groupBy', 'not_in_list', 'These objects have no custom fields.')
    return await customFields.group(key, alias, filters, call)
  }
  const [field = '', by] = name.split(':')
  const own = Prisma.raw(`t.${columnOf(field)}`)
  if (by === 'month') {
    const zone = timeZone ?? (await findTimeZone(call.db, call.workspaceId))
    return { value: monthOf(own, field, zone), join: Prisma.empty }
  }
  const link = links.find((each) => each.field === `${field}s`)
  if (link !== undefined)
    return {
      value: Prisma.raw(`${alias}.${link.column}::text`),
      join: Prisma.raw(`LEFT JOIN ${link.table} ${alias}
        ON ${alias}.workspace_id = t.workspace_id AND ${alias}.${link.owner} = t.id`),
    }
  if (!isList(fields[field] ?? {})) return { value: Prisma.sql`${own}::text`, join: Prisma.empty }
  const items = Prisma.raw(`${alias}(value)`)
  return { value: Prisma.raw(`${alias}.value`), join: Prisma.sql`LEFT JOIN LATERAL unnest(${own}) ${items} ON TRUE` }
}

const isList = ({ type }: SchemaNode): boolean => type === 'array'

/** Days have no time zone. */
const monthOf = (own: Prisma.Sql, field: string, zone: string): Prisma.Sql =>
  field.endsWith('Date')
    ? Prisma.sql`to_char(${own}, 'YYYY-MM')`
    : Prisma.sql`to_char(${own} AT TIME ZONE ${zone}::text, 'YYYY-MM')`
