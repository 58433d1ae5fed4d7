// A replay job between its start (`replay-many.ts`) and its end: read, cancelled, and deleted 30 days after it has ended.
import type { cancelReplayJob, getReplayJob } from '#contract/replay-jobs.ts'
import type { Database } from '#prisma/client.ts'
import type { Handler } from '../execution/handler.ts'
import { findJob } from './replay-job-rows.ts'
import { eventsKeptDays } from '#contract/events.ts'

export const getJob: Handler<typeof getReplayJob> = ({ id }, call) => findJob(call, id)

/** Waits for the batch that is being written, if there is one. */
export const cancelJob: Handler<typeof cancelReplayJob> = async ({ id }, call) => {
  const { db, workspaceId, now } = call
  await findJob(call, id)
  await db.replayJob.updateMany({
    where: { workspaceId, id, status: 'running' },
    data: { status: 'cancelled', cancelReason: 'requested', endedAt: now, updatedAt: now },
  })
  return null
}

/**
 * Returns how many were deleted. A job is kept for as long as the events that it has replayed. A workspace runs one at a
 * time, so that one statement is enough.
 */
export const deleteEndedJobs = (db: Database): Promise<number> =>
  db.$executeRaw`DELETE FROM replay_job WHERE ended_at < now() - ${eventsKeptDays}::int * interval '1 day'`
