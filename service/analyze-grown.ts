// Tells the planner that a table has grown. Autovacuum does so within minutes, and the embedded database has none: until
// then an import leaves lists and counts to plans that were made for a table with hardly a row.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'

/** Smaller tables are quick with any plan. */
const rowsMin = 2_000
const timesMin = 2
export const lookForGrownEveryMs = 15_000

/**
 * Analyzes the tables that have several times the rows that the planner knows of. Returns their names. What another
 * process is at is left to it, and so is what belongs to a role that this one cannot act as.
 */
export async function analyzeGrown(db: Pick<Database, '$queryRaw' | '$executeRaw'>): Promise<string[]> {
  const grown = await db.$queryRaw<{ name: string }[]>`
    SELECT c.relname::text AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
    WHERE s.schemaname = current_schema() AND s.n_live_tup >= ${rowsMin}::int
      AND s.n_live_tup > ${timesMin}::int * greatest(c.reltuples, 0) AND pg_has_role(c.relowner, 'USAGE')
    ORDER BY s.n_live_tup DESC`
  for (const { name } of grown) await db.$executeRaw`ANALYZE (SKIP_LOCKED) ${Prisma.raw(`"${name}"`)}`
  return grown.map(({ name }) => name)
}
