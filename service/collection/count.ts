import { Prisma } from '#prisma/generated/client.ts'
import { columnOf } from './columns.ts'
import type { Collection } from './define.ts'
import type { CollectionHandler } from './definition.ts'
import type { Fields, Resource } from './resource.ts'
import { withHidden } from './visibility.ts'
import { conditionsFor } from './where.ts'
import { countedGroupsMax } from '#contract/collection/operations.ts'

type Group = { readonly value: string | null; readonly count: bigint; readonly total: bigint; readonly groups: bigint }

/** Counts the objects that match the filters, by the values of `groupBy` if it is given. */
export function countHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { groupBy, ...filters } = given as Fields & { readonly groupBy?: string }
    const { all } = await conditionsFor(collection, filters, call)
    const value = groupBy === undefined ? Prisma.sql`NULL::text` : Prisma.raw(`t.${columnOf(groupBy)}::text`)
    // What is summed over all groups is summed before the largest of them are taken.
    const found = await call.db.$queryRaw<Group[]>`
      SELECT ${value} AS value, count(*) AS count,
        (sum(count(*)) OVER ())::bigint AS total, count(*) OVER () AS groups
      FROM ${withHidden(collection).from} WHERE ${Prisma.join([...all], ' AND ')}
      GROUP BY 1 ORDER BY count(*) DESC, (${value}) COLLATE "C" LIMIT ${countedGroupsMax}`
    const total = Number(found[0]?.total ?? 0)
    if (groupBy === undefined) return { total, groups: [], moreGroups: 0 }
    return {
      total,
      groups: found.map(({ value: of, count }) => ({ value: of, count: Number(count) })),
      moreGroups: Number(found[0]?.groups ?? 0) - found.length,
    }
  }
}
