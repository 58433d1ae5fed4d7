// Replay jobs: many deliveries sent again by one request.
import { Type, type Static } from 'typebox'
import { eventPatterns } from './event.ts'
import { Actor, Id, Timestamp, closed, nullable } from './shared-fields.ts'
import { operation } from './operation.ts'

const audiences = ['api', 'settings'] as const

const ReplayFilter = closed({
  webhookId: Type.Optional(Id),
  eventTypes: Type.Optional(eventPatterns('Kinds of events, or all of a segment (`projects.*`).')),
  status: Type.Optional(
    Type.Array(Type.Enum(['delivered', 'dead_letter']), {
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      description: 'Without it, the dead-lettered ones; with `ids`, both.',
    }),
  ),
  createdAfter: Type.Optional(Timestamp),
  createdBefore: Type.Optional(Timestamp),
  ids: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'These ones. Each must be there, be one that can be sent again, and fit the rest of the filter.',
    }),
  ),
})
export type ReplayFilter = Static<typeof ReplayFilter>

const Count = Type.Integer({ minimum: 0 })

/** Of those that the caller could otherwise replay. */
const LeftOut = Type.Object(
  {
    paused: Type.Integer({ ...Count, description: 'Their webhook is paused: enable it first.' }),
    disabled: Type.Integer({ ...Count, description: 'Their webhook is disabled: enable it first.' }),
    deleted: Type.Integer({ ...Count, description: 'Their webhook is deleted.' }),
    ungranted: Type.Integer({ ...Count, description: 'Their webhook is no longer granted this kind of event.' }),
  },
  {
    additionalProperties: false,
    description: 'How many the filter matches that are not sent again and stand in no total, by why.',
  },
)
export type LeftOut = Static<typeof LeftOut>

const PerMinute = Type.Integer({
  minimum: 1,
  maximum: 6_000,
  description:
    'At most so many are started anew in any minute, over restarts too. Without it they are as soon as can be. How fast they are sent then is up to their webhooks.',
})

const CancelReason = Type.Enum(
  ['requested', 'webhook_deleted', 'webhook_disabled', 'webhook_paused', 'grant_revoked'],
  {
    description:
      '`requested`: somebody cancelled it. The others: a webhook could not be sent the rest any more, since it was deleted, disabled or paused meanwhile, or lost the grant of their kind. Null: it was not cancelled.',
  },
)
export type CancelReason = Static<typeof CancelReason>

export const ReplayJob = closed({
  id: Id,
  object: Type.Literal('replay_job'),
  workspaceId: Id,
  status: Type.Enum(['running', 'completed', 'cancelled'], {
    description:
      '`completed`: everything that it could send is sent again. `cancelled`: it ended before that; `cancelReason` says why.',
  }),
  cancelReason: nullable(CancelReason),
  filter: ReplayFilter,
  scopes: Type.Array(Type.String({ maxLength: 80 }), {
    description: 'Read scopes of whoever made it, as they were then. It takes no event of another kind.',
  }),
  perMinute: nullable(PerMinute),
  total: Type.Integer({ minimum: 0, description: 'How many deliveries the filter took when the job was made.' }),
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
  summary: 'Send many deliveries again',
  description:
    'Starts a job that takes deliveries of active webhooks, oldest first, each once and under its own id. One job runs at a time. With `dryRun` they are only counted. What the filter matches and is not sent again, because its webhook is paused, say, is counted in `leftOut`. Deliveries that the key may not read, or of webhooks that carry something which it may not read, are left out; naming such a webhook or kind is refused.',
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

export const getReplayJob = operation({
  name: 'deliveries.get-replay-job',
  http: 'GET /deliveries/replay-jobs/{id}',
  summary: 'Get a replay job',
  description:
    'How far it is. Jobs are kept for 30 days after their end. The key must hold the scopes that the job works with.',
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
    'What it has started anew stays so. Cancelling a job that has ended changes nothing. The key must hold the scopes that the job works with.',
  audiences,
  scope: 'deliveries:replay',
  input: closed({ id: Id }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found', 'insufficient_scope'],
})
