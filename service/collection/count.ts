// Counts of a collection: how many objects match, what a field of them adds up to, and both by the values of one or two
// fields. An object with several values of a field, such as labels, is in the group of each.
import type { Call } from '../execution/call.ts'
import { refuseParameter } from '../faults/shared-faults.ts'
import { isTimeZone } from '../text/times.ts'
import type { Collection, CollectionHandler, Fields, Group, Resource } from './definition.ts'
import { conditionsFor } from './filters.ts'
import { countGroups, countMatching, groupOf, sumMatching, summedBy, type Matching, type Summed } from './count-rows.ts'
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
    if (groupBy.length === 0) return { ...(await totalsOf(matching, summed, call)), groups: [], moreGroups: 0 }
    const groups: Group[] = []
    for (const [at, name] of groupBy.entries())
      groups.push(await groupOf(collection, name, `g${at}`, { timeZone, filters }, call))
    const { rowsCounted, ...counted } = await groupsOf(matching, groups, summed, call)
    // If each object is in exactly one group, the groups add up to the total, and one statement is enough.
    const isOnce = summed === undefined && !groups.some(({ join }) => join !== null)
    return { ...(isOnce ? { total: rowsCounted } : await totalsOf(matching, summed, call)), ...counted }
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

/** Objects without a value add nothing and make no currency of their own. */
const sumsIn = (rows: readonly SumRow[]): Sum[] =>
  rows.flatMap(({ currency, sum }) => (sum === null ? [] : [{ currency, sum }]))

async function groupsOf(matching: Matching, groups: readonly Group[], summed: Summed | undefined, { db }: Call) {
  const rows = await countGroups(db, matching, groups, summed)
  return {
    rowsCounted: Number(rows[0]?.total ?? 0),
    groups: rows.map(({ value, second, count, sums }) => ({
      value,
      ...(groups.length > 1 && { values: [value, second] }),
      count: Number(count),
      ...(summed !== undefined && { sums: sumsIn(sums as SumRow[]) }),
    })),
    moreGroups: Number(rows[0]?.groups ?? 0) - rows.length,
  }
}
