import type { getReplayJob } from '#contract/replay-jobs.ts'
import type { Handler } from '../execution/handler.ts'
import { findJob } from './replay-job-rows.ts'

export const getJob: Handler<typeof getReplayJob> = ({ id }, call) => findJob(call, id)
