// How many events no dispatcher has taken yet, and how old the oldest is.
import type { Database } from '#prisma/client.ts'

export type OutboxBacklog = { readonly rows: number; readonly oldestSeconds: number }

/** More are not counted, so that the question costs no more however many there are. */
const countedMax = 10_000

export async function outboxBacklog(db: Database): Promise<OutboxBacklog> {
  const [found] = await db.$queryRaw<OutboxBacklog[]>`
    SELECT count(*)::int AS rows,
           coalesce(greatest(extract(epoch FROM now() - min(created_at)), 0), 0)::float8 AS "oldestSeconds"
    FROM (SELECT created_at FROM outbox ORDER BY created_at LIMIT ${countedMax}::int) oldest`
  return found ?? { rows: 0, oldestSeconds: 0 }
}
