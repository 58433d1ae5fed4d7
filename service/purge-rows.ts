// Soft-deleted rows go for good when the time to restore them is over. One that others still refer to stays until those
// are gone; what belongs to a row alone goes with it. Those of a workspace with a legal hold stay.
import { restoreWindowDays } from '#contract/collection/operations.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'
import type { Collection, EachCollection } from './collection/definition.ts'
import { columnsNaming, tableAndColumn } from './collection/outdated-rows.ts'
import { eachCollection } from './collections.ts'
import { isNotHeld } from './execution/legal-hold-rows.ts'

const batchMax = 500

type Purgeable = {
  readonly table: string
  /** The columns, beside `workspace_id`, through which others refer to a row. */
  readonly heldBy: readonly (readonly [table: string, column: string])[]
  /** A trigger takes what goes off the count of its workspace, in the row that is the workspace lock. */
  readonly isCounted: boolean
  /** Rows of a project go with it, deleted by themselves or not: they have been hidden since. */
  readonly inProject: boolean
}

const alone = (table: string, isCounted: boolean): Purgeable => ({ table, heldBy: [], isCounted, inProject: false })

const fileLinks = (['task_file', 'document_file', 'crm_entity_file', 'comment_file'] as const).map(
  (table) => [table, 'file_id'] as const,
)

/** Those that refer first. */
export const purgeableIn = (eachCollection: EachCollection): readonly Purgeable[] => [
  alone('comment', true),
  ...eachCollection(purgeableOf(eachCollection)).toReversed(),
  // Objects name a file that is empty by then until they are gone, or name others.
  { table: 'file', heldBy: fileLinks, isCounted: true, inProject: false },
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

const purgeBatch = command(
  ({ table, heldBy, isCounted, inProject }: Purgeable, max: number) => Prisma.sql`
    DELETE FROM ${name(table)} t USING (
      SELECT d.workspace_id, d.id FROM ${name(table)} d ${isCounted ? lockedWorkspace : Prisma.empty}
      WHERE (${isOver('d')} ${inProject ? Prisma.sql`OR ${projectIsOver}` : Prisma.empty}) AND ${isNotHeld('d')}
      ${heldBy.length === 0 ? Prisma.empty : Prisma.join(heldBy.map(freeOf), ' ')}
      LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    ) d
    WHERE t.workspace_id = d.workspace_id AND t.id = d.id`,
  [[{ table: 'task', heldBy: [['task_assignee', 'task_id']], isCounted: true, inProject: true }, 1]],
)

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
