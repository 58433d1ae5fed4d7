import type { cancelReplayJob } from '#contract/replay-jobs.ts'
import type { Handler } from '../execution/handler.ts'
import { findJob } from './replay-job-rows.ts'

/** Waits for the batch that is being written, if there is one. */
export const cancelJob: Handler<typeof cancelReplayJob> = async ({ id }, call) => {
  const { db, workspaceId, now } = call
  await findJob(call, id)
  await db.replayJob.updateMany({
    where: { workspaceId, id, status: 'running' },
    data: { status: 'cancelled', endedAt: now, updatedAt: now },
  })
  return null
}
