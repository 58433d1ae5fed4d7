// Soft-deleted rows go for good when the time to restore them is over. One that others still refer to stays until those
// are gone; what belongs to a row alone goes with it.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Collection } from './collection/define.ts'
import type { EachCollection } from './collection/each-collection.ts'
import { columnsNaming, tableAndColumn } from './collection/reference-columns.ts'
import { eachCollection } from './collection-list.ts'
import { restoreWindowDays } from '#contract/collection/operations.ts'

const batchMax = 500

type Purgeable = {
  readonly table: string
  /** The columns, beside `workspace_id`, through which others refer to a row. */
  readonly heldBy: readonly (readonly [table: string, column: string])[]
  /** A trigger takes what goes off the count of its workspace, in the row that is the workspace lock. */
  readonly isCounted: boolean
  /** What is in a project goes with it, deleted by itself or not: nobody has seen it since. */
  readonly inProject: boolean
}

const alone = (table: string, isCounted: boolean): Purgeable => ({ table, heldBy: [], isCounted, inProject: false })

/** Those that refer first. */
export const purgeableIn = (eachCollection: EachCollection): readonly Purgeable[] => [
  alone('comment', true),
  ...eachCollection(purgeableOf(eachCollection)).toReversed(),
  alone('webhook', false),
]

const purgeableOf =
  (eachCollection: EachCollection) =>
  ({ table, references }: Pick<Collection, 'table' | 'references'>): Purgeable => ({
    table,
    heldBy: eachCollection((other) => columnsNaming(other, table).map(tableAndColumn)).flat(),
    isCounted: true,
    inProject: references.some(({ field }) => field === 'projectId'),
  })

/** Gives how many there were. */
export async function purgeDeleted(
  db: Database,
  max = batchMax,
  tables = purgeableIn(eachCollection),
): Promise<number> {
  let purged = 0
  for (const each of tables) {
    for (let last = max; last === max; purged += last) last = await purgeBatch(db, each, max)
  }
  return purged
}

const purgeBatch = (db: Database, { table, heldBy, isCounted, inProject }: Purgeable, max: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM ${name(table)} t USING (
      SELECT d.workspace_id, d.id FROM ${name(table)} d ${isCounted ? lockedWorkspace : Prisma.empty}
      WHERE (${isOver('d')} ${inProject ? Prisma.sql`OR ${projectIsOver}` : Prisma.empty})
      ${heldBy.length === 0 ? Prisma.empty : Prisma.join(heldBy.map(freeOf), ' ')}
      LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    ) d
    WHERE t.workspace_id = d.workspace_id AND t.id = d.id`

/**
 * A workspace in which a change is under way has its turn at the next round: waiting for it would hold the locks of the
 * others, whose changes would wait as well.
 */
const lockedWorkspace = Prisma.sql`JOIN event_sequence s ON s.workspace_id = d.workspace_id`

const isOver = (row: string): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(row)}.deleted_at < now() - ${restoreWindowDays}::int * interval '1 day'`

const projectIsOver = Prisma.sql`(d.workspace_id, d.project_id) IN (
  SELECT p.workspace_id, p.id FROM project p WHERE ${isOver('p')} OR p.purged_at IS NOT NULL)`

const freeOf = ([table, column]: readonly [string, string]): Prisma.Sql => Prisma.sql`AND NOT EXISTS (
  SELECT FROM ${name(table)} r WHERE r.workspace_id = d.workspace_id AND r.${name(column)} = d.id)`

/** Names come from what collections declare and from nowhere else. */
const name = (text: string): Prisma.Sql => Prisma.raw(`"${text}"`)
