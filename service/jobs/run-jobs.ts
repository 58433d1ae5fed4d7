// Background work that does jobs, in every service. A job is taken for a short while, some of its steps are done, each
// is written down with its result, and the job is left to the next service. So workspaces take turns, and a job whose
// service is killed goes on elsewhere from its last step.
import { setTimeout as pause } from 'node:timers/promises'
import { Fault, isRetryable } from '#contract/faults/fault.ts'
import { jobFileBytesMax, jobFinished } from '#contract/jobs.ts'
import { newId } from '#runtime/new-id.ts'
import { backoffMs } from '#runtime/retry.ts'
import type { Execute } from '../execution/call.ts'
import { attemptEach, changeAsSystem, type ChangeDeps } from '../execution/change.ts'
import { callAs, type CallAs } from './call-as.ts'
import { changeStep } from './change-objects.ts'
import { exportStep } from './export.ts'
import { bytesOf, type RowsStore } from './file-rows.ts'
import { importStep } from './import-rows.ts'
import {
  fail,
  markTold,
  postpone,
  release,
  takeNext,
  toJob,
  untold,
  writeStep,
  type Step,
  type TakenJob,
} from './rows.ts'

export type RunnerDeps = ChangeDeps & { readonly execute: Execute; readonly fileStore: RowsStore }

const lookAgainMs = 1_000
/** How long a job is worked on before another workspace has its turn. */
const turnDefaultMs = 300
/** Tries of one step that fail for reasons of ours, before the job is given up: an hour or more. */
const failuresMax = 100
const backoff = { minMs: 500, maxMs: 60_000 }
const toldMax = 10

/**
 * Gives one job a turn. Returns after how many milliseconds the next may follow. A job that fails is tried again later,
 * and keeps no other one waiting.
 */
export async function runJobs(
  deps: RunnerDeps,
  onError: (error: unknown) => void,
  turnMs = turnDefaultMs,
): Promise<number> {
  // An end that cannot be told keeps no other job waiting.
  await tellFinished(deps).catch(onError)
  const job = await takeNext(deps.db, newId())
  if (job === undefined) return lookAgainMs
  try {
    await work(deps, job, performance.now() + turnMs)
    await release(deps.db, job)
  } catch (thrown) {
    await endOrPostpone(deps, job, thrown, onError)
  }
  return 0
}

async function endOrPostpone(
  { db }: RunnerDeps,
  job: TakenJob,
  thrown: unknown,
  onError: (error: unknown) => void,
): Promise<void> {
  if (thrown instanceof Fault && thrown.status < 500 && !isRetryable(thrown.code))
    return fail(db, job, { code: thrown.code, detail: thrown.message })
  onError(thrown)
  const failures = job.failures + 1
  if (failures < failuresMax) return postpone(db, job, backoffMs(failures, backoff))
  return fail(db, job, { code: 'internal_error', detail: 'A step has failed on our side, again and again.' })
}

/** Does steps until the turn is over, at least one. A pause as long as each step leaves half of the time to callers. */
async function work(deps: RunnerDeps, job: TakenJob, endsAt: number): Promise<void> {
  const startedAt = performance.now()
  const step = await stepOf(deps, job, await callAs(deps.db, deps.execute, job))
  if ((step.files?.result?.bytes ?? 0) > jobFileBytesMax)
    throw new Fault('limit_reached', `The result has more than ${jobFileBytesMax} bytes.`, { limit: jobFileBytesMax })
  const isKept = await writeStep(deps.db, job, step)
  if (!isKept || step.completed === true || step.failure !== undefined) return
  const now = performance.now()
  if (now >= endsAt) return
  await pause(now - startedAt)
  await work(deps, { ...job, position: step.position, files: step.files ?? job.files, failures: 0 }, endsAt)
}

function stepOf({ db, fileStore }: RunnerDeps, job: TakenJob, call: CallAs): Promise<Step> {
  if (job.kind === 'export') return exportStep(db, job, call)
  return job.kind === 'import' ? importStep(db, job, bytesOf(db, fileStore, job), call) : changeStep(job, call)
}

/** Records the end of each job that nobody was told of yet. */
async function tellFinished(deps: RunnerDeps): Promise<void> {
  await attemptEach(await untold(deps.db, toldMax), async ({ workspaceId, id }) => {
    await changeAsSystem<typeof jobFinished>(deps, workspaceId, null, async ({ db, now, emit }) => {
      const row = await markTold(db, workspaceId, id, now)
      if (row !== null) emit(jobFinished, toJob(row))
    })
  })
}
