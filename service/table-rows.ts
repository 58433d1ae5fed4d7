// Statements about the statistics of tables.
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'

/**
 * The tables with at least `rowsMin` rows that have more than `timesMin` times the rows that the planner knows of, and
 * that this role may analyze.
 */
export const grownTables = query(
  { name: column.text },
  (rowsMin: number, timesMin: number) => Prisma.sql`
    SELECT c.relname::text AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
    WHERE s.schemaname = current_schema() AND s.n_live_tup >= ${rowsMin}::int
      AND s.n_live_tup > ${timesMin}::int * greatest(c.reltuples, 0) AND pg_has_role(c.relowner, 'USAGE')
    ORDER BY s.n_live_tup DESC`,
)

export const analyzeTable = command(
  (name: string) => Prisma.sql`ANALYZE (SKIP_LOCKED) ${Prisma.raw(`"${name}"`)}`,
  [['task']],
)
