// The work of replay jobs, a batch a transaction: deliveries, count and position are written together, so that a process
// that dies leaves the job where it was, and the next one goes on from there.
import type { ReplayFilter } from '#contract/replay-jobs.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../execution/handler.ts'
import { matching } from './replay-job-rows.ts'
import { takersAmong, type Takers } from './replayable.ts'

type Position = { readonly createdAt: string; readonly id: string }
type Taken = { readonly createdAt: Date; readonly id: string; readonly started: boolean }
type Job = {
  readonly workspaceId: string
  readonly id: string
  readonly filter: ReplayFilter
  /** What its maker could read: it takes nothing else, whatever its webhooks carry by now. */
  readonly scopes: readonly string[]
  readonly position: Position | null
}

type Locked = { readonly id: string; readonly eventTypes: string[]; readonly grants: unknown; readonly status: string }

const batchMax = 500

/** One batch of the job that has waited longest; false where there is none. One that somebody is at work on is passed over. */
export const replayBatch = (db: Database, max = batchMax): Promise<boolean> =>
  db.$transaction(async (tx) => {
    const [job] = await tx.$queryRaw<Job[]>`
      SELECT workspace_id AS "workspaceId", id, filter, scopes, position FROM replay_job
      WHERE ended_at IS NULL ORDER BY updated_at LIMIT 1 FOR UPDATE SKIP LOCKED`
    if (job === undefined) return false
    const takers = takersAmong(await lockWebhooks(tx, job), job.scopes)
    const taken = await startAnew(tx, job, takers, max)
    await advance(tx, job, taken, max)
    return true
  })

/** None of them is paused or deleted before its deliveries are there to be held or cancelled. */
async function lockWebhooks(tx: Db, { workspaceId }: Job): Promise<Locked[]> {
  const webhooks = await tx.$queryRaw<Locked[]>`
    SELECT id, events AS "eventTypes", grants, status FROM webhook WHERE workspace_id = ${workspaceId}::uuid AND deleted_at IS NULL
    ORDER BY id FOR KEY SHARE`
  return webhooks.filter(({ status }) => status === 'active')
}

/** Locked in the order of their ids, as everywhere; taken in the order in which they were made. */
const startAnew = (tx: Db, { workspaceId, filter, position }: Job, takers: Takers, max: number): Promise<Taken[]> =>
  tx.$queryRaw`
    WITH batch AS (
      SELECT d.created_at, d.id FROM delivery d
      WHERE ${matching(workspaceId, filter, takers)} ${beyond(position)}
      ORDER BY d.created_at, d.id LIMIT ${max}::int
    ), locked AS (
      SELECT d.id FROM delivery d WHERE d.workspace_id = ${workspaceId}::uuid AND d.id IN (SELECT id FROM batch)
      ORDER BY d.id FOR UPDATE
    ), started AS (
      UPDATE delivery d
      SET status = 'pending', origin = 'replay', tries = 0, next_attempt_at = now(), lease_owner = NULL,
          lease_until = NULL, sending_since = NULL, delivered_at = NULL, dead_lettered_at = NULL
      WHERE d.workspace_id = ${workspaceId}::uuid AND d.id IN (SELECT id FROM locked)
        AND d.status IN ('delivered', 'dead_letter')
      RETURNING d.id
    )
    SELECT b.created_at AS "createdAt", b.id, s.id IS NOT NULL AS started
    FROM batch b LEFT JOIN started s ON s.id = b.id ORDER BY b.created_at, b.id`

const beyond = (position: Position | null): Prisma.Sql =>
  position === null
    ? Prisma.empty
    : Prisma.sql`AND (d.created_at, d.id) > (${position.createdAt}::timestamptz, ${position.id}::uuid)`

/** What became ready to be taken after the job was counted is taken too: the total follows. */
async function advance(tx: Db, { workspaceId, id }: Job, taken: readonly Taken[], max: number): Promise<void> {
  const ended = taken.length < max
  const last = taken.at(-1)
  const started = taken.filter((one) => one.started).length
  const position = last === undefined ? null : JSON.stringify({ createdAt: last.createdAt, id: last.id })
  await tx.$executeRaw`
    UPDATE replay_job
    SET replayed = replayed + ${started}::int, total = greatest(total, replayed + ${started}::int),
        position = coalesce(${position}::jsonb, position),
        status = CASE WHEN ${ended} THEN 'completed' ELSE status END,
        ended_at = CASE WHEN ${ended} THEN now() END,
        updated_at = now()
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`
}
