// Runs replay jobs in the background, one batch in each transaction. Deliveries, count and position are written together:
// when a process dies, the next one goes on where the job stands.
import type { CancelReason, ReplayFilter } from '#contract/replay-jobs.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'
import { rejoinLine } from './rejoin-line.ts'
import { countMatching, matching, webhooksIn } from './replay-job-rows.ts'
import { resumeAfter, tokensAt, type Pace } from './replay-pace.ts'
import { cancelReasonOf, replayableAmong, type Replayable, type ReplayedWebhook } from './replayable.ts'

type JobPosition = { readonly createdAt: string; readonly id: string }
/** `more`: there are others behind this batch. */
type RestartedDelivery = {
  readonly createdAt: Date
  readonly id: string
  readonly started: boolean
  readonly more: boolean
}
type RunningJob = {
  readonly workspaceId: string
  readonly id: string
  readonly filter: ReplayFilter
  /** The read scopes of the caller who started it. The job replays nothing else, whatever its webhooks receive by now. */
  readonly scopes: readonly string[]
  readonly position: JobPosition | null
  readonly perMinute: number | null
  readonly resumeAt: Date | null
  readonly createdAt: Date
  /** By the clock of the database, which all processes share. */
  readonly now: Date
}

const batchMax = 500
const lookAgainMs = 1_000

/**
 * Runs one batch of the job that could go on first, passing over jobs that another process runs. Returns after how many
 * milliseconds the next may follow.
 */
export const replayBatch = (db: Database, max = batchMax): Promise<number> =>
  db.$transaction(async (tx) => {
    const [job] = await tx.$queryRaw<RunningJob[]>`
      SELECT workspace_id AS "workspaceId", id, filter, scopes, position, per_minute AS "perMinute",
             resume_at AS "resumeAt", created_at AS "createdAt", now() AS now
      FROM replay_job
      WHERE ended_at IS NULL ORDER BY greatest(updated_at, resume_at) LIMIT 1 FOR UPDATE SKIP LOCKED`
    if (job === undefined) return lookAgainMs
    const pace = paceOf(job)
    const count = pace === null ? max : Math.min(max, tokensAt(pace, job.now))
    if (count === 0) return Math.min(lookAgainMs, untilMs(job))
    const replayable = replayableAmong(await lockWebhooks(tx, job), job.scopes)
    const batch = await restartBatch(tx, job, replayable, count)
    const started = batch.flatMap(({ id, started }) => (started ? [id] : []))
    await rejoinLine(tx, job.workspaceId, started)
    await advance(tx, job, batch, pace && started.length > 0 ? resumeAfter(pace, started.length, job.now) : null)
    return 0
  })

const paceOf = ({ perMinute, resumeAt }: RunningJob): Pace | null =>
  perMinute === null ? null : { perMinute, resumeAt }

/** At least one: the clock of the database counts finer than ours. */
const untilMs = ({ resumeAt, now }: RunningJob): number => Math.max(1, (resumeAt ?? now).getTime() - now.getTime())

/** The lock keeps a webhook from being paused or deleted before its deliveries are pending, to be held or cancelled. */
const lockWebhooks = (tx: Db, { workspaceId }: RunningJob): Promise<ReplayedWebhook[]> =>
  tx.$queryRaw`
    SELECT id, events AS "eventTypes", grants, status, deleted_at AS "deletedAt" FROM webhook
    WHERE workspace_id = ${workspaceId}::uuid AND deleted_at IS NULL ORDER BY id FOR KEY SHARE`

/** Chosen in the order in which they were made; locked in the order of their ids, as everywhere, against deadlocks. */
const restartBatch = (
  tx: Db,
  { workspaceId, filter, position }: RunningJob,
  replayable: Replayable,
  max: number,
): Promise<RestartedDelivery[]> =>
  tx.$queryRaw`
    WITH found AS (
      SELECT d.created_at, d.id FROM delivery d
      WHERE ${matching(workspaceId, filter, replayable)} ${afterPosition(position)}
      ORDER BY d.created_at, d.id LIMIT ${max + 1}::int
    ), batch AS (SELECT * FROM found ORDER BY created_at, id LIMIT ${max}::int), locked AS (
      SELECT d.id FROM delivery d WHERE d.workspace_id = ${workspaceId}::uuid AND d.id IN (SELECT id FROM batch)
      ORDER BY d.id FOR UPDATE
    ), started AS (
      UPDATE delivery d
      SET status = 'pending', origin = 'replay', tries = 0, next_attempt_at = now(), lease_owner = NULL,
          lease_until = NULL, sending_since = NULL, delivered_at = NULL, dead_lettered_at = NULL, restarted_at = now()
      WHERE d.workspace_id = ${workspaceId}::uuid AND d.id IN (SELECT id FROM locked)
        AND d.status IN ('delivered', 'dead_letter')
      RETURNING d.id
    )
    SELECT b.created_at AS "createdAt", b.id, s.id IS NOT NULL AS started,
           (SELECT count(*) > ${max}::int FROM found) AS more
    FROM batch b LEFT JOIN started s ON s.id = b.id ORDER BY b.created_at, b.id`

const afterPosition = (position: JobPosition | null): Prisma.Sql =>
  position === null
    ? Prisma.empty
    : Prisma.sql`AND (d.created_at, d.id) > (${position.createdAt}::timestamptz, ${position.id}::uuid)`

/** Deliveries that matched only after the job had counted them are replayed too: the total grows with them. */
async function advance(
  tx: Db,
  job: RunningJob,
  batch: readonly RestartedDelivery[],
  resumeAt: Date | null,
): Promise<void> {
  const last = batch.at(-1)
  const ended = last?.more !== true
  const started = batch.filter((one) => one.started).length
  const reason = ended ? await cancelReason(tx, job) : null
  const position = last === undefined ? null : JSON.stringify({ createdAt: last.createdAt, id: last.id })
  await tx.$executeRaw`
    UPDATE replay_job
    SET replayed = replayed + ${started}::int, total = greatest(total, replayed + ${started}::int),
        position = coalesce(${position}::jsonb, position),
        resume_at = coalesce(${resumeAt}::timestamptz, resume_at),
        status = CASE WHEN ${reason}::text IS NOT NULL THEN 'cancelled' WHEN ${ended} THEN 'completed' ELSE status END,
        cancel_reason = ${reason}::text,
        ended_at = CASE WHEN ${ended} THEN now() END,
        updated_at = now()
    WHERE workspace_id = ${job.workspaceId}::uuid AND id = ${job.id}::uuid`
}

/** What it has not started anew is of webhooks that cannot be sent it. */
async function cancelReason(tx: Db, job: RunningJob): Promise<CancelReason | null> {
  const left = await countMatching(tx, job.workspaceId, job.filter, job.createdAt)
  return left.length === 0 ? null : cancelReasonOf(left, await webhooksIn(tx, job.workspaceId), job)
}
