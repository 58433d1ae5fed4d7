// Replay jobs between the contract and the table, and the query for the deliveries that a job replays.

import type { LeftOut, ReplayFilter, ReplayJob } from '#contract/replay-jobs.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { typesOf } from '#contract/webhook-grants.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Call, Db } from '../execution/handler.ts'
import { noneLeftOut, type PairCount, type ChangedWebhook, type Replayable } from './rules.ts'
import { notFoundById } from '../faults/not-found.ts'

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

/** All of the workspace, deleted or not. */
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

/** Conditions on `delivery d`: what the filter matches. */
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
 * Conditions on `delivery d`: what the filter matches and the caller may replay. OFFSET 0 makes Postgres look the pairs up
 * in a hash.
 */
export const matching = (workspaceId: string, filter: ReplayFilter, { webhookIds, types }: Replayable): Prisma.Sql =>
  Prisma.sql`${filtered(workspaceId, filter)}
    AND (d.webhook_id, d.event_type) IN (SELECT * FROM unnest(${webhookIds}::uuid[], ${types}::text[]) OFFSET 0)`

/** `notSince`: without those that were started anew at that time or later. */
export const countMatching = (
  db: Db,
  workspaceId: string,
  filter: ReplayFilter,
  notSince: Date | null = null,
): Promise<PairCount[]> =>
  db.$queryRaw`
    SELECT d.webhook_id AS "webhookId", d.event_type AS "eventType", count(*)::int AS count
    FROM delivery d WHERE ${filtered(workspaceId, filter)}
    ${notSince === null ? Prisma.empty : Prisma.sql`AND (d.restarted_at IS NULL OR d.restarted_at < ${notSince})`}
    GROUP BY d.webhook_id, d.event_type`

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
