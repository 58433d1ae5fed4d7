// Replay jobs, and the statements by which a job finds its deliveries, starts them anew, and records its progress.
import { eventsKeptDays } from '#contract/events.ts'
import type { LeftOut, ReplayFilter, ReplayJob, CancelReason } from '#contract/replay-jobs.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { typesOf } from '#contract/webhook-grants.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { heldUntil } from '#prisma/restore.ts'
import { column, command, query } from '#prisma/statements.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Call, Db } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'
import { noneLeftOut, type ChangedWebhook, type Replayable } from './rules.ts'

/** A job that asks for all that a job can ask for: a test prepares the statements with it. */
const exampleJob: RunningJob = {
  workspaceId: '',
  id: '',
  filter: { webhookId: '', eventTypes: ['*'], status: [], createdAfter: '', createdBefore: '', ids: [] },
  scopes: [],
  position: { createdAt: '', id: '' },
  perMinute: null,
  resumeAt: null,
  createdAt: new Date(),
  now: new Date(),
}

export type JobRow = Omit<Prisma.ReplayJobGetPayload<object>, 'filter' | 'createdBy' | 'position' | 'leftOut'> & {
  readonly filter: unknown
  readonly createdBy: unknown
  readonly position: unknown
  readonly leftOut: unknown
}

type ReplayCall = Pick<Call, 'db' | 'workspaceId' | 'principal'>

/** Throws `insufficient_scope` for a job that the caller could not have started. */
export async function findJob({ db, workspaceId, principal }: ReplayCall, id: string): Promise<ReplayJob> {
  const row = await db.replayJob.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (row === null) throw notFoundById('replay job')
  assertHolds(row.scopes, principal.scopes, 'For what this job sends again')
  return toJob(row)
}

/** All webhooks of the workspace, deleted or not. */
export const webhooksIn = (db: Db, workspaceId: string): Promise<ChangedWebhook[]> =>
  db.webhook.findMany({
    where: { workspaceId },
    select: {
      id: true,
      eventTypes: true,
      grants: true,
      status: true,
      statusChangedAt: true,
      deletedAt: true,
      updatedAt: true,
    },
  })

/** The filter as conditions on `delivery d`. */
function filtered(workspaceId: string, filter: ReplayFilter): Prisma.Sql {
  const { webhookId, eventTypes, status = ['dead_letter'], createdAfter, createdBefore, ids } = filter
  const wantedTypes = eventTypes && typesOf(eventTypes)
  return Prisma.sql`d.workspace_id = ${workspaceId}::uuid AND d.status = ANY (${status}::text[])
    ${webhookId === undefined ? Prisma.empty : Prisma.sql`AND d.webhook_id = ${webhookId}::uuid`}
    ${wantedTypes === undefined ? Prisma.empty : Prisma.sql`AND d.event_type = ANY (${wantedTypes}::text[])`}
    ${createdAfter === undefined ? Prisma.empty : Prisma.sql`AND d.created_at > ${createdAfter}::timestamptz`}
    ${createdBefore === undefined ? Prisma.empty : Prisma.sql`AND d.created_at < ${createdBefore}::timestamptz`}
    ${ids === undefined ? Prisma.empty : Prisma.sql`AND d.id = ANY (${ids}::uuid[])`}`
}

/**
 * Conditions on `delivery d`: the filter, and the pairs that the caller may replay. OFFSET 0 makes Postgres look the
 * pairs up in a hash.
 */
const matching = (workspaceId: string, filter: ReplayFilter, { webhookIds, types }: Replayable): Prisma.Sql =>
  Prisma.sql`${filtered(workspaceId, filter)}
    AND (d.webhook_id, d.event_type) IN (SELECT * FROM unnest(${webhookIds}::uuid[], ${types}::text[]) OFFSET 0)`

/** `notSince` leaves out deliveries that were started anew at that time or later. */
export const countMatching = query(
  { webhookId: column.uuid, eventType: column.text, count: column.int },
  (workspaceId: string, filter: ReplayFilter, notSince: Date | null = null) => Prisma.sql`
    SELECT d.webhook_id AS "webhookId", d.event_type AS "eventType", count(*)::int AS count
    FROM delivery d WHERE ${filtered(workspaceId, filter)}
    ${notSince === null ? Prisma.empty : Prisma.sql`AND (d.restarted_at IS NULL OR d.restarted_at < ${notSince})`}
    GROUP BY d.webhook_id, d.event_type`,
  [
    ['', exampleJob.filter, new Date()],
    ['', {}, null],
  ],
)

export const toJob = ({ position: _position, resumeAt: _resumeAt, ...row }: JobRow): ReplayJob => ({
  ...row,
  object: 'replay_job',
  // The table's checks allow no other values.
  status: row.status as ReplayJob['status'],
  cancelReason: row.cancelReason as ReplayJob['cancelReason'],
  filter: row.filter as ReplayFilter,
  leftOut: (row.leftOut as LeftOut | null) ?? noneLeftOut,
  createdAt: row.createdAt.toISOString(),
  createdBy: row.createdBy as Actor,
  updatedAt: row.updatedAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
})

export type RunningJob = {
  readonly workspaceId: string
  readonly id: string
  readonly filter: ReplayFilter
  /** The read scopes of the caller who started the job: it replays nothing beyond them. */
  readonly scopes: readonly string[]
  readonly position: JobPosition | null
  readonly perMinute: number | null
  readonly resumeAt: Date | null
  readonly createdAt: Date
  /** By the clock of the database, which all processes share. */
  readonly now: Date
}

type JobPosition = { readonly createdAt: string; readonly id: string }

/** `more`: others follow this batch. */
export type RestartedDelivery = {
  readonly createdAt: Date
  readonly id: string
  readonly webhookId: string
  readonly started: boolean
  /** It was still to be sent: in an order it keeps its position. */
  readonly wasWaiting: boolean
  readonly more: boolean
}

const lockNext = query(
  {
    workspaceId: column.uuid,
    id: column.uuid,
    filter: column.json.of<ReplayFilter>(),
    scopes: column.text.list.present,
    position: column.json.of<JobPosition>().orNull,
    perMinute: column.int.orNull,
    resumeAt: column.time.orNull,
    createdAt: column.time,
    now: column.time,
  },
  () => Prisma.sql`
    SELECT workspace_id AS "workspaceId", id, filter, scopes, position, per_minute AS "perMinute",
           resume_at AS "resumeAt", created_at AS "createdAt", now() AS now
    FROM replay_job
    WHERE ended_at IS NULL ORDER BY greatest(updated_at, resume_at) LIMIT 1 FOR UPDATE SKIP LOCKED`,
)

/** Passes over jobs that another process runs. */
export async function lockNextJob(tx: Db): Promise<RunningJob | undefined> {
  const [job] = await lockNext(tx)
  return job
}

/** The lock prevents a pause or deletion until the deliveries are pending, and so can be held or cancelled. */
export const lockWebhooks = query(
  {
    id: column.uuid,
    eventTypes: column.text.list.present,
    grants: column.json.orNull,
    status: column.text,
    deletedAt: column.time.orNull,
  },
  ({ workspaceId }: RunningJob) => Prisma.sql`
    SELECT id, events AS "eventTypes", grants, status, deleted_at AS "deletedAt" FROM webhook
    WHERE workspace_id = ${workspaceId}::uuid AND deleted_at IS NULL ORDER BY id FOR KEY SHARE`,
)

/**
 * Deliveries are chosen in the order in which they were made, and locked in the order of their ids, against deadlocks.
 * As one by one, what is being sent is left alone, and so is what the operator is to release.
 */
export const restartBatch = query(
  {
    createdAt: column.time,
    id: column.uuid,
    webhookId: column.uuid,
    started: column.bool,
    wasWaiting: column.bool,
    more: column.bool,
  },
  ({ workspaceId, filter, position }: RunningJob, replayable: Replayable, max: number) => Prisma.sql`
    WITH found AS (
      SELECT d.created_at, d.id, d.webhook_id FROM delivery d
      WHERE ${matching(workspaceId, filter, replayable)} ${afterPosition(position)}
      ORDER BY d.created_at, d.id LIMIT ${max + 1}::int
    ), batch AS (SELECT * FROM found ORDER BY created_at, id LIMIT ${max}::int), locked AS (
      SELECT d.id, d.status IN ('pending', 'retrying') AS waiting FROM delivery d
      WHERE d.workspace_id = ${workspaceId}::uuid AND d.id IN (SELECT id FROM batch)
      ORDER BY d.id FOR UPDATE
    ), started AS (
      UPDATE delivery d
      SET status = 'pending', origin = 'replay', tries = 0,
          next_attempt_at = CASE WHEN l.waiting AND d.order_key IS NOT NULL AND d.next_attempt_at IS NULL THEN NULL ELSE now() END,
          lease_owner = NULL, lease_until = NULL, sending_since = NULL, delivered_at = NULL, dead_lettered_at = NULL, restarted_at = now()
      FROM locked l
      WHERE d.workspace_id = ${workspaceId}::uuid AND d.id = l.id AND d.status = ANY (${filter.status ?? ['dead_letter']}::text[])
        AND (d.sending_since IS NULL OR d.lease_until IS NULL OR d.lease_until <= now())
        AND (d.next_attempt_at IS NULL OR d.next_attempt_at < ${heldUntil})
      RETURNING d.id, l.waiting
    )
    SELECT b.created_at AS "createdAt", b.id, b.webhook_id AS "webhookId", s.id IS NOT NULL AS started,
           coalesce(s.waiting, false) AS "wasWaiting",
           (SELECT count(*) > ${max}::int FROM found) AS more
    FROM batch b LEFT JOIN started s ON s.id = b.id ORDER BY b.created_at, b.id`,
  [[exampleJob, { webhookIds: [], types: [] }, 1]],
)

const afterPosition = (position: JobPosition | null): Prisma.Sql =>
  position === null
    ? Prisma.empty
    : Prisma.sql`AND (d.created_at, d.id) > (${position.createdAt}::timestamptz, ${position.id}::uuid)`

type JobProgress = {
  readonly last: RestartedDelivery | undefined
  readonly ended: boolean
  readonly started: number
  readonly reason: CancelReason | null
  readonly resumeAt: Date | null
}

export const writeProgress = command(
  ({ workspaceId, id }: RunningJob, { last, ended, started, reason, resumeAt }: JobProgress) => {
    const position = last === undefined ? null : JSON.stringify({ createdAt: last.createdAt, id: last.id })
    return Prisma.sql`
    UPDATE replay_job
    SET replayed = replayed + ${started}::int, total = greatest(total, replayed + ${started}::int),
        position = coalesce(${position}::jsonb, position),
        resume_at = coalesce(${resumeAt}::timestamptz, resume_at),
        status = CASE WHEN ${reason}::text IS NOT NULL THEN 'cancelled' WHEN ${ended} THEN 'completed' ELSE status END,
        cancel_reason = ${reason}::text,
        ended_at = CASE WHEN ${ended} THEN now() END,
        updated_at = now()
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`
  },
)

/**
 * Deletes jobs that have been kept for as long as their events. One statement is enough, since a workspace runs one job
 * at a time. Returns how many were deleted.
 */
export const deleteEndedJobs = command(
  () => Prisma.sql`DELETE FROM replay_job WHERE ended_at < now() - ${eventsKeptDays}::int * interval '1 day'`,
)
