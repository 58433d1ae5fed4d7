// Deliveries (one event to one webhook) and their attempts: schema and operations.
import { Type, type Static } from 'typebox'
import { eventPatterns, systemEvent } from './event.ts'
import { Id, Timestamp, closed, nullable } from './shared-fields.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import { stream } from './stream.ts'

export const deliveriesTag = tag('deliveries', 'Events sent to webhooks, with every attempt, and how they are resent.')

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
  nextAttemptAt: nullable(
    Type.String({
      ...Timestamp,
      description:
        'When the next attempt is made, not before the circuit of the webhook lets it through. Null: there is none, or the delivery waits for an earlier one of its order or for a paused webhook.',
    }),
  ),
  lastStatusCode: nullable(Type.Integer()),
  lastErrorCode: nullable(Type.String({ maxLength: 40 })),
  createdAt: Timestamp,
  deliveredAt: nullable(Timestamp),
  deadLetteredAt: nullable(Timestamp),
})
export type Delivery = Static<typeof Delivery>

/** So many are named by an event; all of them are counted. */
export const namedDeadLettersMax = 20

const DeadLetters = closed({
  id: Type.String({ ...Id, description: 'The id of the webhook, as in `resource`.' }),
  object: Type.Literal('dead_letters'),
  workspaceId: Id,
  webhookId: Type.String({ ...Id, description: 'The webhook whose deliveries were given up.' }),
  webhookName: Type.String({ maxLength: 200, description: 'The display name.' }),
  count: Type.Integer({ minimum: 1, description: 'How many, since the event before.' }),
  firstAt: Type.String({ ...Timestamp, description: 'When the first of them was given up.' }),
  lastAt: Type.String({ ...Timestamp, description: 'When the last of them was given up.' }),
  errorCodes: Type.Array(Type.String({ maxLength: 40 }), { description: 'Why, each reason once.' }),
  deliveryIds: Type.Array(Id, {
    maxItems: namedDeadLettersMax,
    description: `The newest of them, ${namedDeadLettersMax} at most. \`GET /deliveries?status=dead_letter\` has all.`,
  }),
})
export const deliveriesDeadLettered = systemEvent(
  'deliveries.dead_lettered',
  DeadLetters,
  'Deliveries to a webhook became dead letters: at most one event a minute for each webhook, with their number.',
)

const Headers = Type.Record(Type.String(), Type.String())

const Milliseconds = nullable(Type.Integer({ minimum: 0 }))

/** In milliseconds. Null for a step that was not needed: an open connection needs no DNS, no connect and no TLS. */
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
  outcome: Type.Enum(['success', 'failed', 'interrupted'], {
    description:
      'The outcome. `interrupted`: the process that sent it was lost before the end, so it is sent again; `maxAttempts` rises by one, and it is no failure of the webhook.',
  }),
  errorCode: nullable(Type.String({ maxLength: 40 })),
})
export type Attempt = Static<typeof Attempt>

const audiences = ['api', 'settings'] as const

export const eventsOfRequestMax = 1_000

const which = {
  status: Type.Optional(Type.Array(DeliveryStatus, { minItems: 1, maxItems: 5, description: 'Any of these.' })),
  webhookId: Type.Optional(Id),
  eventTypes: Type.Optional(eventPatterns('Event types, or all of a segment (`projects.*`).')),
}

export const listDeliveries = operation({
  name: 'deliveries.list',
  http: 'GET /deliveries',
  summary: 'List deliveries',
  description: 'Newest first. A key sees only deliveries of events that it may read.',
  audiences,
  scope: 'deliveries:read',
  input: closed({
    ...pageInput,
    ...which,
    eventId: Type.Optional(Id),
    requestId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: `The request that caused the events: \`X-Request-Id\` of its response. If many requests share it, their newest ${eventsOfRequestMax} events count.`,
      }),
    ),
    createdAfter: Type.Optional(Timestamp),
    createdBefore: Type.Optional(Timestamp),
  }),
  output: pageOf(Delivery),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated', 'insufficient_scope'],
})

export const streamDeliveries = stream({
  name: 'deliveries.stream',
  http: 'GET /deliveries/stream',
  summary: 'Follow deliveries',
  description:
    'Sends each delivery when it is created and when it changes, within about a second. A delivery that changes twice in that time may be sent once.',
  scope: 'deliveries:read',
  input: closed(which),
  message: 'delivery',
  output: Delivery,
})

export const getDelivery = operation({
  name: 'deliveries.get',
  http: 'GET /deliveries/{id}',
  summary: 'Get a delivery',
  description:
    'One delivery by its id, which is also sent to the endpoint. The key must be able to read its event type.',
  audiences,
  scope: 'deliveries:read',
  input: closed({ id: Id }),
  output: Delivery,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})

export const listAttempts = operation({
  name: 'deliveries.attempts',
  http: 'GET /deliveries/{id}/attempts',
  summary: 'List the attempts of a delivery',
  description:
    'Oldest first, with request and response. Signatures and values of custom headers are masked. The key must be able to read this event type.',
  audiences,
  scope: 'deliveries:read',
  input: closed({ id: Id, ...pageInput }),
  output: pageOf(Attempt),
  success: 200,
  errors: ['not_found', 'insufficient_scope', 'invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const replayDelivery = operation({
  name: 'deliveries.replay',
  http: 'POST /deliveries/{id}/replay',
  summary: 'Resend a delivery',
  description:
    'Sends a delivery of an active webhook again under the same id, at once and to the current URL of the webhook, with its full number of attempts. It may have any status: one that waits for its next attempt is sent now. While the circuit is open, it is the probe. One that is being sent at this moment stays as it is, and an ordered one that waits keeps its position. The key must be able to read every event type of the webhook, and the webhook must still be granted this one.',
  audiences,
  scope: 'deliveries:replay',
  input: closed({ id: Id }),
  output: Delivery,
  success: 202,
  errors: ['not_found', 'insufficient_scope', 'invalid_transition'],
})
