// Soft-deleted rows go for good when the time to restore them is over. One that others still refer to stays until those
// are gone; what belongs to a row alone goes with it.
import { restoreWindowDays } from '#contract/size-limits.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'

const batchMax = 500

type Purgeable = {
  readonly table: string
  /** The columns, beside `workspace_id`, through which others refer to a row. */
  readonly heldBy: readonly `${string}.${string}`[]
  /** What is in a project goes with it, deleted by itself or not: nobody has seen it since. */
  readonly inProject?: true
}

/** Those that refer first. */
export const purgeable: readonly Purgeable[] = [
  { table: 'comment', heldBy: [] },
  { table: 'task', heldBy: ['task.parent_task_id', 'task_blocker.blocked_by_id'], inProject: true },
  { table: 'document', heldBy: [], inProject: true },
  { table: 'project', heldBy: ['task.project_id', 'document.project_id'] },
  {
    table: 'crm_entity',
    heldBy: [
      'crm_entity.merged_into_id',
      'crm_entity.parent_company_id',
      'crm_entity.company_id',
      'deal_contact.contact_id',
      'task_crm_entity.crm_entity_id',
      'project.company_id',
      'document.crm_entity_id',
    ],
  },
  { table: 'webhook', heldBy: [] },
]

/** Gives how many there were. */
export async function purgeDeleted(db: Database, max = batchMax): Promise<number> {
  let purged = 0
  for (const each of purgeable) {
    for (let last = max; last === max; purged += last) last = await purgeBatch(db, each, max)
  }
  return purged
}

const purgeBatch = (db: Database, { table, heldBy, inProject }: Purgeable, max: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM ${name(table)} t USING (
      SELECT d.workspace_id, d.id FROM ${name(table)} d
      WHERE (${isOver('d')} ${inProject ? Prisma.sql`OR ${projectIsOver}` : Prisma.empty})
      ${heldBy.length === 0 ? Prisma.empty : Prisma.join(heldBy.map(freeOf), ' ')}
      LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    ) d
    WHERE t.workspace_id = d.workspace_id AND t.id = d.id`

const isOver = (row: string): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(row)}.deleted_at < now() - ${restoreWindowDays}::int * interval '1 day'`

const projectIsOver = Prisma.sql`(d.workspace_id, d.project_id) IN (
  SELECT p.workspace_id, p.id FROM project p WHERE ${isOver('p')} OR p.purged_at IS NOT NULL)`

function freeOf(column: string): Prisma.Sql {
  const [table = '', field = ''] = column.split('.')
  return Prisma.sql`AND NOT EXISTS (
    SELECT FROM ${name(table)} r WHERE r.workspace_id = d.workspace_id AND r.${name(field)} = d.id)`
}

/** Names come from the list above and from nowhere else. */
const name = (text: string): Prisma.Sql => Prisma.raw(`"${text}"`)
