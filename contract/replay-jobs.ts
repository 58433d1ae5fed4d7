// Replay jobs: many deliveries sent again by one request.
import { Type, type Static } from 'typebox'
import { DeliveryStatus } from './deliveries.ts'
import { eventPatterns } from './event.ts'
import { Actor, Id, Timestamp, closed, nullable } from './shared-fields.ts'
import { operation } from './operation.ts'

const audiences = ['api', 'settings'] as const

const ReplayFilter = closed({
  webhookId: Type.Optional(Id),
  eventTypes: Type.Optional(eventPatterns('Event types, or all of a segment (`projects.*`).')),
  status: Type.Optional(
    Type.Array(DeliveryStatus, {
      minItems: 1,
      maxItems: 5,
      uniqueItems: true,
      description: 'Default: the dead-lettered ones; with `ids`, any.',
    }),
  ),
  createdAfter: Type.Optional(Timestamp),
  createdBefore: Type.Optional(Timestamp),
  ids: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'The ids of deliveries. Each must exist, be resendable and match the rest of the filter.',
    }),
  ),
})
export type ReplayFilter = Static<typeof ReplayFilter>

const Count = Type.Integer({ minimum: 0 })

/** Of those that the caller could otherwise resend. */
const LeftOut = Type.Object(
  {
    paused: Type.Integer({ ...Count, description: 'Their webhook is paused: enable it first.' }),
    disabled: Type.Integer({ ...Count, description: 'Their webhook is disabled: enable it first.' }),
    deleted: Type.Integer({ ...Count, description: 'Their webhook is deleted.' }),
    ungranted: Type.Integer({ ...Count, description: 'Their webhook is no longer granted this event type.' }),
  },
  {
    additionalProperties: false,
    description: 'Deliveries that match the filter but are not resent, counted by reason. They are in no total.',
  },
)
export type LeftOut = Static<typeof LeftOut>

const PerMinute = Type.Integer({
  minimum: 1,
  maximum: 6_000,
  description:
    'The maximum of deliveries restarted a minute, across restarts of a process. Default: no limit. The limits of their webhooks decide how fast they are then sent.',
})

const CancelReason = Type.Enum(
  ['requested', 'webhook_deleted', 'webhook_disabled', 'webhook_paused', 'grant_revoked', 'restored'],
  {
    description:
      '`requested`: it was cancelled by a request. `restored`: the installation was restored from a backup while it ran. Otherwise the rest could no longer be sent, because a webhook was deleted, disabled or paused, or lost the grant. Null: it was not cancelled.',
  },
)
export type CancelReason = Static<typeof CancelReason>

export const ReplayJob = closed({
  id: Id,
  object: Type.Literal('replay_job'),
  workspaceId: Id,
  status: Type.Enum(['running', 'completed', 'cancelled'], {
    description:
      '`completed`: every delivery that could be resent was resent. `cancelled`: it ended before that; `cancelReason` says why.',
  }),
  cancelReason: nullable(CancelReason),
  filter: ReplayFilter,
  scopes: Type.Array(Type.String({ maxLength: 80 }), {
    description: 'The read scopes of its creator at that time. It resends no event outside of them.',
  }),
  perMinute: nullable(PerMinute),
  total: Type.Integer({
    minimum: 0,
    description: 'The number of deliveries that matched the filter when the job was created.',
  }),
  leftOut: LeftOut,
  replayed: Type.Integer({ minimum: 0 }),
  createdAt: Timestamp,
  createdBy: Actor,
  updatedAt: Timestamp,
  endedAt: nullable(Timestamp),
})
export type ReplayJob = Static<typeof ReplayJob>

/** The answer to a dry run: nothing was made, so it has no id and no state. */
const ReplayEstimate = closed({
  object: Type.Literal('replay_estimate'),
  workspaceId: Id,
  filter: ReplayFilter,
  perMinute: nullable(PerMinute),
  total: Type.Integer({ minimum: 0 }),
  leftOut: LeftOut,
})

export const replayDeliveries = operation({
  name: 'deliveries.replay-many',
  http: 'POST /deliveries/replay',
  summary: 'Resend many deliveries',
  description:
    'Starts a job that sends deliveries of active webhooks again, oldest first, each once and under its own id. Those that wait for their next attempt are sent at once. One job runs at a time. With `dryRun` they are only counted. `leftOut` counts deliveries that the filter matches but that are not resent, for example because their webhook is paused. Deliveries that the key may not read, and deliveries of webhooks that carry events it may not read, are left out; a request that names such a webhook or event type fails.',
  audiences,
  scope: 'deliveries:replay',
  input: closed({
    filter: ReplayFilter,
    perMinute: Type.Optional(PerMinute),
    dryRun: Type.Optional(Type.Boolean({ default: false })),
  }),
  output: Type.Union([ReplayJob, ReplayEstimate]),
  success: 202,
  errors: ['insufficient_scope', 'limit_reached', 'invalid_transition', 'reference_not_found'],
})

/** What has not been delivered, whether or not it is still tried. */
export const undeliveredStatuses = ['pending', 'retrying', 'dead_letter'] as const

export const recoverWebhook = operation({
  name: 'webhooks.recover',
  http: 'POST /webhooks/{id}/recover',
  summary: 'Recover a webhook since a time',
  description:
    'Starts a job that sends again what was created since that time and has not been delivered: dead letters, and deliveries that wait for their next attempt. It is a replay job, with a filter by this webhook; a dry run of `deliveries.replay-many` counts them before.',
  audiences,
  scope: 'deliveries:replay',
  input: closed({
    id: Id,
    since: Type.String({ ...Timestamp, description: 'Deliveries that were created after it are sent again.' }),
    perMinute: Type.Optional(PerMinute),
  }),
  output: ReplayJob,
  success: 202,
  errors: ['not_found', 'insufficient_scope', 'limit_reached', 'invalid_transition'],
})

export const getReplayJob = operation({
  name: 'deliveries.get-replay-job',
  http: 'GET /deliveries/replay-jobs/{id}',
  summary: 'Get a replay job',
  description:
    'The progress of the job. Jobs are kept for 30 days after they end. The key must hold the scopes that the job works with.',
  audiences,
  scope: 'deliveries:read',
  input: closed({ id: Id }),
  output: ReplayJob,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})

export const cancelReplayJob = operation({
  name: 'deliveries.cancel-replay-job',
  http: 'DELETE /deliveries/replay-jobs/{id}',
  summary: 'Cancel a replay job',
  description:
    'Deliveries that it has already restarted stay restarted. Cancelling a job that has ended changes nothing. The key must hold the scopes that the job works with.',
  audiences,
  scope: 'deliveries:replay',
  input: closed({ id: Id }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'insufficient_scope'],
})
