// Deliveries: one event on its way to one webhook, and every attempt to hand it over.
import { Type, type Static } from 'typebox'
import { Actor, Id, Timestamp, closed, nullable } from './fields.ts'
import { operation } from './operation.ts'
import { pageInput, pageOf } from './page.ts'

export const DeliveryStatus = Type.Enum(['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled'])
export type DeliveryStatus = Static<typeof DeliveryStatus>

export const Delivery = closed({
  id: Id,
  object: Type.Literal('delivery'),
  workspaceId: Id,
  eventId: Id,
  eventType: Type.String({ maxLength: 100 }),
  webhookId: Id,
  status: DeliveryStatus,
  origin: Type.Enum(['live', 'replay', 'test']),
  attemptCount: Type.Integer({ minimum: 0 }),
  maxAttempts: Type.Integer({ minimum: 1 }),
  nextAttemptAt: nullable(Timestamp),
  lastStatusCode: nullable(Type.Integer()),
  lastErrorCode: nullable(Type.String({ maxLength: 40 })),
  createdAt: Timestamp,
  deliveredAt: nullable(Timestamp),
  deadLetteredAt: nullable(Timestamp),
})
export type Delivery = Static<typeof Delivery>

const Headers = Type.Record(Type.String(), Type.String())

const Milliseconds = nullable(Type.Integer({ minimum: 0 }))

/** Null where a step did not take place: a connection that is open already needs no name, no connecting and no TLS. */
export const Timings = closed({ dns: Milliseconds, connect: Milliseconds, tls: Milliseconds, firstByte: Milliseconds })
export type Timings = Static<typeof Timings>

export const Attempt = closed({
  id: Type.String({ maxLength: 60 }),
  object: Type.Literal('attempt'),
  deliveryId: Id,
  number: Type.Integer({ minimum: 1 }),
  trigger: Type.Enum(['automatic', 'manual']),
  startedAt: Timestamp,
  durationMs: Type.Integer({ minimum: 0 }),
  timings: nullable(Timings),
  request: closed({ url: Type.String(), headers: Headers, body: Type.String() }),
  response: nullable(
    closed({
      status: Type.Integer(),
      headers: Headers,
      body: Type.String({ description: 'The first 4 KiB.' }),
      truncated: Type.Boolean(),
    }),
  ),
  outcome: Type.Enum(['success', 'failed', 'interrupted']),
  errorCode: nullable(Type.String({ maxLength: 40 })),
})
export type Attempt = Static<typeof Attempt>

const audiences = ['api', 'settings'] as const

export const listDeliveries = operation({
  name: 'deliveries.list',
  http: 'GET /deliveries',
  summary: 'List deliveries',
  description: 'Newest first.',
  audiences,
  scope: 'deliveries:read',
  input: closed({
    ...pageInput,
    status: Type.Optional(Type.Array(DeliveryStatus, { minItems: 1, maxItems: 5, description: 'Any of these.' })),
    webhookId: Type.Optional(Id),
    eventType: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    after: Type.Optional(Timestamp),
    before: Type.Optional(Timestamp),
  }),
  output: pageOf(Delivery),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch'],
})

export const getDelivery = operation({
  name: 'deliveries.get',
  http: 'GET /deliveries/{id}',
  summary: 'Get a delivery',
  description: 'One delivery by its id, which is also what the receiver saw.',
  audiences,
  scope: 'deliveries:read',
  input: closed({ id: Id }),
  output: Delivery,
  success: 200,
  errors: ['not_found'],
})

export const listAttempts = operation({
  name: 'deliveries.attempts',
  http: 'GET /deliveries/{id}/attempts',
  summary: 'List the attempts of a delivery',
  description:
    'Oldest first, with what was sent and what came back. Signatures and values of custom headers are masked.',
  audiences,
  scope: 'deliveries:read',
  input: closed({ id: Id, ...pageInput }),
  output: pageOf(Attempt),
  success: 200,
  errors: ['not_found', 'invalid_cursor', 'cursor_mismatch'],
})

export const replayDelivery = operation({
  name: 'deliveries.replay',
  http: 'POST /deliveries/{id}/replay',
  summary: 'Send a delivery again',
  description: 'A delivered or dead-lettered delivery of an active webhook starts anew under the same id.',
  audiences,
  scope: 'deliveries:replay',
  input: closed({ id: Id }),
  output: Delivery,
  success: 202,
  errors: ['not_found', 'invalid_transition'],
})

const ReplayFilter = closed({
  webhookId: Type.Optional(Id),
  eventTypes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 50, uniqueItems: true }),
  ),
  status: Type.Optional(
    Type.Array(Type.Enum(['delivered', 'dead_letter']), {
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      description: 'Without it, the dead-lettered ones.',
    }),
  ),
  createdAfter: Type.Optional(Timestamp),
  createdBefore: Type.Optional(Timestamp),
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true })),
})
export type ReplayFilter = Static<typeof ReplayFilter>

export const ReplayJob = closed({
  id: Id,
  object: Type.Literal('replay_job'),
  workspaceId: Id,
  status: Type.Enum(['running', 'completed', 'cancelled']),
  filter: ReplayFilter,
  total: Type.Integer({ minimum: 0, description: 'How many deliveries the filter took when the job was made.' }),
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
  total: Type.Integer({ minimum: 0 }),
})

export const replayDeliveries = operation({
  name: 'deliveries.replay-many',
  http: 'POST /deliveries/replay',
  summary: 'Send many deliveries again',
  description:
    'Starts a job that takes deliveries of active webhooks, oldest first, each once and under its own id. One job runs at a time. With `dryRun` they are only counted.',
  audiences,
  scope: 'deliveries:replay',
  input: closed({ filter: ReplayFilter, dryRun: Type.Optional(Type.Boolean({ default: false })) }),
  output: Type.Union([ReplayJob, ReplayEstimate]),
  success: 202,
  errors: ['limit_reached', 'invalid_transition', 'reference_not_found'],
})

export const getReplayJob = operation({
  name: 'deliveries.get-replay-job',
  http: 'GET /deliveries/replay-jobs/{id}',
  summary: 'Get a replay job',
  description: 'How far it is. Jobs are kept for 30 days after their end.',
  audiences,
  scope: 'deliveries:read',
  input: closed({ id: Id }),
  output: ReplayJob,
  success: 200,
  errors: ['not_found'],
})

export const cancelReplayJob = operation({
  name: 'deliveries.cancel-replay-job',
  http: 'DELETE /deliveries/replay-jobs/{id}',
  summary: 'Cancel a replay job',
  description: 'What it has started anew stays so. Cancelling a job that has ended changes nothing.',
  audiences,
  scope: 'deliveries:replay',
  input: closed({ id: Id }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found'],
})
