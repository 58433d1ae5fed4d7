// Replay jobs: started by a filter, read, cancelled, and run in the background until all matching deliveries are sent
// again.
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import type {
  ReplayFilter,
  replayDeliveries,
  cancelReplayJob,
  getReplayJob,
  recoverWebhook,
  CancelReason,
  ReplayJob,
} from '#contract/replay-jobs.ts'
import { DeliveryStatus } from '#contract/deliveries.ts'
import { undeliveredStatuses } from '#contract/replay-jobs.ts'
import { readScopeOf } from '#contract/scopes.ts'
import { typesOf, grantedScopes, isGranted } from '#contract/webhook-grants.ts'
import type { Database } from '#prisma/client.ts'
import { newId } from '#runtime/new-id.ts'
import { assertReadable } from '../ledger/feed.ts'
import type { Call, Handler, Db } from '../execution/call.ts'
import { missingReference, refuseField } from '../faults/shared-faults.ts'
import { assertSpan } from '../validation/query-parameters.ts'
import { assertHolds } from '../execution/authorize.ts'
import { assertAccess, eventReadScopes, assertActive } from '../webhooks/rules.ts'
import {
  countMatching,
  toJob,
  webhooksIn,
  findJob,
  lockNextJob,
  lockWebhooks,
  restartBatch,
  writeProgress,
  type RunningJob,
  type RestartedDelivery,
} from './replay-job-rows.ts'
import { endOpenCircuit, findWebhook } from '../webhooks/rows.ts'
import { isHeld, requeue } from './rows.ts'
import { replayableAmong, tallied, resumeAfter, tokensAt, cancelReasonOf, type Replayable, type Pace } from './rules.ts'

export const replayMany: Handler<typeof replayDeliveries> = async ({ filter: asked, perMinute, dryRun }, call) => {
  const matched = await matchedBy(asked, call)
  if (dryRun !== true) return startJob(matched, perMinute ?? null, call)
  const { filter, total, leftOut } = matched
  const { workspaceId } = call
  return { object: 'replay_estimate', workspaceId, filter, perMinute: perMinute ?? null, total, leftOut }
}

/** All of a webhook that was not delivered, whether it was given up or is still tried. */
export const recover: Handler<typeof recoverWebhook> = async ({ id, since, perMinute }, call) => {
  assertActive(await findWebhook(call, id))
  const filter = { webhookId: id, status: [...undeliveredStatuses], createdAfter: since }
  return startJob(await matchedBy(filter, call), perMinute ?? null, call)
}

type Matched = Pick<ReplayJob, 'filter' | 'scopes' | 'total' | 'leftOut'>

/** Without `createdBefore` the span ends now, so that a replay that fails again is not replayed a second time. */
async function matchedBy(asked: ReplayFilter, call: Call): Promise<Matched> {
  const { db, workspaceId, principal, now } = call
  const filter = withDefaults(asked, now)
  if (filter.eventTypes !== undefined) assertReadable(filter.eventTypes, principal.scopes)
  if (filter.webhookId !== undefined) await assertWebhook(call, filter.webhookId)
  const scopes = eventReadScopes(principal.scopes)
  const webhooks = await webhooksIn(db, workspaceId)
  await assertAnyReplayable(filter, replayableAmong(webhooks, scopes), call)
  if (filter.ids !== undefined) await assertIdsReplayable(call, filter.ids, filter)
  return { filter, scopes, ...tallied(await countMatching(db, workspaceId, filter), webhooks, scopes) }
}

async function startJob(matched: Matched, perMinute: number | null, call: Call): Promise<ReplayJob> {
  const { db, workspaceId, actor, now } = call
  const row = {
    ...matched,
    workspaceId,
    id: newId(now),
    status: 'running',
    perMinute,
    replayed: 0,
    createdBy: actor,
    createdAt: now,
    updatedAt: now,
  }
  const { count } = await db.replayJob.createMany({ data: row, skipDuplicates: true })
  if (count === 0) throw new Fault('limit_reached', 'Another replay job is still running.', { limit: 1 })
  return toJob({ ...row, position: null, resumeAt: null, endedAt: null, cancelReason: null })
}

/** A filter by ids matches deliveries in any state, any other only dead-lettered ones. */
function withDefaults(asked: ReplayFilter, now: Date): ReplayFilter & { readonly createdBefore: string } {
  const { ids, createdAfter, createdBefore = now.toISOString() } = asked
  assertSpan('filter/created', createdAfter, createdBefore, refuseField)
  const status = asked.status ?? (ids === undefined ? ['dead_letter'] : [...DeliveryStatus.enum])
  return { ...asked, createdBefore, status }
}

/**
 * Throws when deliveries of the named event types exist, but no webhook may receive any: a total of 0 would look as if
 * none had failed.
 */
async function assertAnyReplayable(filter: ReplayFilter, { webhookIds, types }: Replayable, { db, workspaceId }: Call) {
  if (filter.eventTypes === undefined) return
  const { webhookId, status = [] } = filter
  const eventTypes = typesOf(filter.eventTypes)
  if (types.some((type, at) => eventTypes.includes(type) && (webhookId ?? webhookIds[at]) === webhookIds[at])) return
  const where = { workspaceId, eventType: { in: eventTypes }, status: { in: status }, ...(webhookId && { webhookId }) }
  if ((await db.delivery.findFirst({ where, select: { id: true } })) === null) return
  refuseField('filter/eventTypes', 'not_in_list', 'No active webhook that the key may use is granted these.')
}

type ReplayCall = Pick<Call, 'db' | 'workspaceId' | 'principal'>

async function assertWebhook({ db, workspaceId, principal }: ReplayCall, id: string): Promise<void> {
  const webhook = await db.webhook.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (webhook === null) throw missingReference('filter/webhookId')
  assertAccess(webhook, principal)
  assertActive(webhook)
}

const errorsMax = 20

type Webhook = {
  readonly eventTypes: readonly string[]
  readonly grants: unknown
  readonly status: string
  readonly deletedAt: Date | null
}
type Named = {
  readonly id: string
  readonly eventType: string
  readonly status: DeliveryStatus
  readonly webhookId: string
  readonly createdAt: Date
  readonly nextAttemptAt: Date | null
  readonly webhook: Webhook
}

/** Each delivery that is named by id must match the rest of the filter: one left out silently would look replayed. */
async function assertIdsReplayable(
  { db, workspaceId, principal }: Pick<Call, 'db' | 'workspaceId' | 'principal'>,
  ids: readonly string[],
  filter: ReplayFilter,
): Promise<void> {
  const found = await db.delivery.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    include: { webhook: { select: { eventTypes: true, grants: true, status: true, deletedAt: true } } },
  })
  const missing = ids.flatMap((id, at) => (found.some((each) => each.id === id) ? [] : [errorAt(at, doesNotExist)]))
  if (missing.length > 0) throw faultOf('reference_not_found', missing)
  assertHolds(
    [...new Set(found.map(({ eventType }) => readScopeOf(eventType)))],
    principal.scopes,
    'For these deliveries',
  )
  for (const { webhook } of found) assertAccess(webhook, principal)
  const excluded = ids.flatMap((id, at) => {
    const named = found.find((each) => each.id === id)
    const reason =
      named === undefined ? null : whyExcluded({ ...named, status: named.status as DeliveryStatus }, filter)
    return reason === null ? [] : [errorAt(at, { code: 'not_in_list', detail: reason })]
  })
  if (excluded.length > 0) throw faultOf('validation_failed', excluded)
}

/** Returns null when the delivery can be replayed and the filter matches it. */
function whyExcluded(
  { webhook, webhookId, eventType, status, createdAt, nextAttemptAt }: Named,
  filter: ReplayFilter,
): string | null {
  const { createdAfter, createdBefore, eventTypes } = filter
  const state = webhook.deletedAt === null ? webhook.status : 'deleted'
  if (isHeld({ nextAttemptAt })) return 'Is held since a restore, until the operator releases it.'
  if (filter.status?.includes(status) === false) return `Is ${status}, which \`status\` leaves out.`
  if (filter.webhookId !== undefined && filter.webhookId !== webhookId) return 'Is of another webhook than `webhookId`.'
  if (eventTypes !== undefined && !typesOf(eventTypes).includes(eventType))
    return `Is of ${eventType}, which \`eventTypes\` leaves out.`
  if (createdAfter !== undefined && createdAt <= new Date(createdAfter)) return 'Is older than `createdAfter`.'
  if (createdBefore !== undefined && createdAt >= new Date(createdBefore)) return 'Is younger than `createdBefore`.'
  if (state !== 'active') return `Its webhook is ${state}.`
  return isGranted(grantedScopes(webhook), eventType) ? null : `Its webhook is no longer granted ${eventType}.`
}

type Reason = Pick<FieldError, 'code' | 'detail'>

const doesNotExist: Reason = { code: 'not_found', detail: 'Does not exist in this workspace.' }

const errorAt = (at: number, reason: Reason): FieldError => ({ pointer: `/filter/ids/${at}`, ...reason })

function faultOf(code: 'reference_not_found' | 'validation_failed', errors: readonly FieldError[]): Fault {
  const details = errors.slice(0, 3).map(({ pointer, detail }) => `${pointer}: ${detail}`)
  return new Fault(code, details.join(' '), { errors: errors.slice(0, errorsMax) })
}

export const getJob: Handler<typeof getReplayJob> = ({ id }, call) => findJob(call, id)

/** Waits for a batch that is being written. */
export const cancelJob: Handler<typeof cancelReplayJob> = async ({ id }, call) => {
  const { db, workspaceId, now } = call
  await findJob(call, id)
  await db.replayJob.updateMany({
    where: { workspaceId, id, status: 'running' },
    data: { status: 'cancelled', cancelReason: 'requested', endedAt: now, updatedAt: now },
  })
  return null
}

const batchMax = 500
const lookAgainMs = 1_000

/**
 * Background work: runs one batch of the next job that no other process runs, in one transaction. Deliveries, count and
 * position are written together, so that another process can resume the job. Returns the milliseconds until the next.
 */
export const replayBatch = (db: Database, max = batchMax): Promise<number> =>
  db.$transaction(async (tx) => {
    const job = await lockNextJob(tx)
    if (job === undefined) return lookAgainMs
    const pace = paceOf(job)
    const count = pace === null ? max : Math.min(max, tokensAt(pace, job.now))
    if (count === 0) return Math.min(lookAgainMs, untilMs(job))
    const replayable = replayableAmong(await lockWebhooks(tx, job), job.scopes)
    const batch = await restartBatch(tx, job, replayable, count)
    const started = batch.filter((each) => each.started)
    await requeue(
      tx,
      job.workspaceId,
      started.filter(({ wasWaiting }) => !wasWaiting).map(({ id }) => id),
    )
    // Once for each job: one that takes hours must not send a probe with every batch.
    if (job.position === null) await endOpenCircuits(tx, job, started)
    await advance(tx, job, batch, pace && started.length > 0 ? resumeAfter(pace, started.length, job.now) : null)
    return 0
  })

/** In the order of their ids, as health is locked everywhere. */
async function endOpenCircuits(
  tx: Db,
  { workspaceId, now }: RunningJob,
  started: readonly RestartedDelivery[],
): Promise<void> {
  const webhookIds = new Set(started.map(({ webhookId }) => webhookId))
  for (const id of [...webhookIds].toSorted()) await endOpenCircuit(tx, workspaceId, id, now)
}

const paceOf = ({ perMinute, resumeAt }: RunningJob): Pace | null =>
  perMinute === null ? null : { perMinute, resumeAt }

/** At least one millisecond: the clock of the database is finer than ours. */
const untilMs = ({ resumeAt, now }: RunningJob): number => Math.max(1, (resumeAt ?? now).getTime() - now.getTime())

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
  await writeProgress(tx, job, { last, ended, started, reason, resumeAt })
}

/** The deliveries that are left belong to webhooks that cannot receive them. */
async function cancelReason(tx: Db, job: RunningJob): Promise<CancelReason | null> {
  const left = await countMatching(tx, job.workspaceId, job.filter, job.createdAt)
  return left.length === 0 ? null : cancelReasonOf(left, await webhooksIn(tx, job.workspaceId), job)
}
