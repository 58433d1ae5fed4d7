import { Prisma } from '#prisma/generated/client.ts'
import { columnOf } from './columns.ts'
import type { Collection } from './define.ts'
import type { CollectionHandler } from './definition.ts'
import type { Fields, Resource } from './resource.ts'
import { conditionsFor } from './where.ts'

const groupsMax = 1_000

/** Counts the objects that match the filters, by the values of `groupBy` if it is given. */
export function countHandler<R extends Resource>(collection: Collection<R>): CollectionHandler {
  return async (given, call) => {
    const { groupBy, ...filters } = given as Fields & { readonly groupBy?: string }
    const where = Prisma.join(await conditionsFor(collection, filters, call), ' AND ')
    const value = groupBy === undefined ? Prisma.sql`NULL` : Prisma.raw(`t.${columnOf(groupBy)}::text`)
    const groups = await call.db.$queryRaw<{ value: string | null; count: bigint; total: bigint }[]>`
      SELECT ${value} AS value, count(*) AS count, (sum(count(*)) OVER ())::bigint AS total
      FROM ${collection.from} WHERE ${where} GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${groupsMax}`
    return {
      total: Number(groups[0]?.total ?? 0),
      groups:
        groupBy === undefined ? [] : groups.map(({ value: of, count: many }) => ({ value: of, count: Number(many) })),
    }
  }
}
