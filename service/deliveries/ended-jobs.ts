import { eventsKeptDays } from '#contract/size-limits.ts'
import type { Database } from '#prisma/client.ts'

/** A job is of no use to anybody when what it has replayed is gone. One runs at a time, so there are not many. */
export const deleteEndedJobs = (db: Database): Promise<number> =>
  db.$executeRaw`DELETE FROM replay_job WHERE ended_at < now() - ${eventsKeptDays}::int * interval '1 day'`
