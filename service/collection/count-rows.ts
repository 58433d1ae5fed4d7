// Statements that count what matches: in total, by the sum of a field, and by the values of one or two fields.
import { countedGroupsMax } from '#contract/collection/operations.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, query } from '#prisma/statements.ts'
import type { Call, Db } from '../execution/call.ts'
import { refuseParameter } from '../faults/shared-faults.ts'
import { isTimeZone } from '../text/times.ts'
import { columnOf, type Collection, type Fields, type Group, type Resource } from './definition.ts'

/** `from` is over the table `t`, of which the conditions are. */
export type Matching = { readonly from: Prisma.Sql; readonly conditions: readonly Prisma.Sql[] }
const anyTask: Matching = { from: Prisma.sql`task t`, conditions: [Prisma.sql`TRUE`] }

export const countMatching = query(
  { total: column.bigint },
  ({ from, conditions }: Matching) =>
    Prisma.sql`SELECT count(*) AS total FROM ${from} WHERE ${Prisma.join([...conditions], ' AND ')}`,
  [[anyTask]],
)

/** The values of a sum, as SQL over `t`: null where an object has no value. */
export type Summed = { readonly number: Prisma.Sql; readonly currency: Prisma.Sql }
const amounts: Summed = { number: Prisma.sql`1::numeric`, currency: Prisma.sql`'EUR'::text` }

/** One row for each currency, and one for all that has no number. */
export const sumMatching = query(
  { currency: column.text.orNull, sum: column.text.orNull, count: column.bigint },
  ({ from, conditions }: Matching, { number, currency }: Summed) => Prisma.sql`
    SELECT ${currency} AS currency, sum(${number})::text AS sum, count(*) AS count
    FROM ${from} WHERE ${Prisma.join([...conditions], ' AND ')} GROUP BY 1 ORDER BY 1`,
  [[anyTask, amounts]],
)

const grouped: Group = { value: Prisma.sql`t.status::text`, join: null }

/** The largest groups by one value, or by two; `total` and `groups` are of all of them. */
export const countGroups = query(
  {
    value: column.text.orNull,
    second: column.text.orNull,
    count: column.bigint,
    sums: column.json.orNull,
    total: column.bigint,
    groups: column.bigint,
  },
  ({ from, conditions }: Matching, [first, second]: readonly Group[], summed: Summed | undefined) => {
    const { number, currency } = summed ?? { number: Prisma.sql`NULL::numeric`, currency: Prisma.sql`NULL::text` }
    // The window functions run before LIMIT: they are of all groups.
    return Prisma.sql`
      SELECT value, second, sum(rows)::bigint AS count, (sum(sum(rows)) OVER ())::bigint AS total, count(*) OVER () AS groups,
        jsonb_agg(jsonb_build_object('currency', currency, 'sum', added::text) ORDER BY currency) AS sums
      FROM (
        SELECT ${first?.value ?? Prisma.sql`NULL::text`} AS value, ${second?.value ?? Prisma.sql`NULL::text`} AS second,
          ${currency} AS currency, count(*) AS rows, sum(${number}) AS added
        FROM ${from} ${first?.join ?? Prisma.empty} ${second?.join ?? Prisma.empty}
        WHERE ${Prisma.join([...conditions], ' AND ')} GROUP BY 1, 2, 3
      ) counted
      GROUP BY value, second ORDER BY count DESC, value COLLATE "C", second COLLATE "C" LIMIT ${countedGroupsMax}`
  },
  [
    [anyTask, [grouped], undefined],
    [anyTask, [grouped, grouped], amounts],
  ],
)

/** An amount is an object of number and currency; any other number is a column of its own. */
export const summedBy = (field: string): Summed =>
  field === 'amount'
    ? { number: Prisma.sql`(t.amount ->> 'amount')::numeric`, currency: Prisma.sql`t.amount ->> 'currency'` }
    : { number: Prisma.raw(`t.${columnOf(field)}::numeric`), currency: Prisma.sql`NULL::text` }

type Asked = { readonly timeZone: string | undefined; readonly filters: Fields }

/** `alias` is that of what the group joins. */
export async function groupOf<R extends Resource>(
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
  if (by === 'month') return { value: await monthOf(own, field, timeZone, call), join: null }
  const link = links.find((each) => each.field === `${field}s`)
  if (link !== undefined)
    return {
      value: Prisma.raw(`${alias}.${link.column}::text`),
      join: Prisma.raw(`LEFT JOIN ${link.table} ${alias}
        ON ${alias}.workspace_id = t.workspace_id AND ${alias}.${link.owner} = t.id`),
    }
  if (!isList(fields[field] ?? {})) return { value: Prisma.sql`${own}::text`, join: null }
  const items = Prisma.raw(`${alias}(value)`)
  return { value: Prisma.raw(`${alias}.value`), join: Prisma.sql`LEFT JOIN LATERAL unnest(${own}) ${items} ON TRUE` }
}

const isList = ({ type }: SchemaNode): boolean => type === 'array'

/** Days have no time zone. */
async function monthOf(own: Prisma.Sql, field: string, timeZone: string | undefined, call: Call): Promise<Prisma.Sql> {
  if (field.endsWith('Date')) return Prisma.sql`to_char(${own}, 'YYYY-MM')`
  const zone = timeZone ?? (await timeZoneOf(call.db, call.workspaceId))
  return Prisma.sql`to_char(${own} AT TIME ZONE ${zone}::text, 'YYYY-MM')`
}

async function timeZoneOf(db: Db, workspaceId: string): Promise<string> {
  const { timeZone } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { timeZone: true } })
  if (isTimeZone(timeZone)) return timeZone
  return refuseParameter('timeZone', 'required', 'Name a time zone: the workspace has an offset, which is none.')
}
