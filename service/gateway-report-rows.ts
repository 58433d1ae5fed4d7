// Statements of the gateway's reports: each has an id, so that one that comes twice is counted once.
import { Prisma } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'

/** Changes nothing when the report is known. */
export const insertReport = command(
  (id: string) => Prisma.sql`INSERT INTO gateway_report (id) VALUES (${id}::uuid) ON CONFLICT DO NOTHING`,
)

export const deleteReports = command(
  (keptHours: number, max: number) => Prisma.sql`
    DELETE FROM gateway_report WHERE id IN (
      SELECT id FROM gateway_report WHERE received_at < now() - ${keptHours}::int * interval '1 hour'
      ORDER BY received_at LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    )`,
)
