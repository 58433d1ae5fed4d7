// The message from the service to the dispatcher through RabbitMQ: which events were committed.
import { Type, type Static } from 'typebox'
import { Id, closed } from '../shared-fields.ts'
import { eventCatalogue } from '../api.ts'
import type { EventRecord } from '../event.ts'
import { exampleEvent } from '../openapi/recorded-examples.ts'
import { webhookTest } from '../webhooks.ts'
import { ownHeaders, standardHeaders, traceHeader } from '../webhook-headers.ts'
import { agentEnding, agentOf, unsignedHeaders, userAgent, type Requested } from './webhook-request.ts'

/** Only the ids: the dispatcher reads the event itself from Postgres. */
export const EventNotification = closed({ eventId: Id, workspaceId: Id })
export type EventNotification = Static<typeof EventNotification>
export const notificationsPerMessageMax = 50
/** What spans call the queue, whatever BRAND is in front of its name. */
export const notificationsDestination = 'webhooks.events'
export const EventNotifications = Type.Array(EventNotification, { minItems: 1, maxItems: notificationsPerMessageMax })

// The traces of the notifications stand in the headers of the message, as W3C Trace Context has it for AMQP. Only where
// they differ there is one for each, in the order of the notifications.

export type MessageHeaders = Readonly<Record<string, unknown>>
const eachTraceparent = 'traceparents'

export function headersOfTraces(traceparents: readonly string[]): MessageHeaders {
  const [first] = traceparents
  if (first === undefined) return {}
  const isOne = traceparents.every((each) => each === first)
  return { traceparent: first, ...(!isOne && { [eachTraceparent]: traceparents }) }
}

/** Of a message with so many notifications. Not validated; undefined where it says nothing. */
export function tracesInHeaders(headers: MessageHeaders, count: number): unknown[] {
  const each = headers[eachTraceparent]
  if (Array.isArray(each) && each.length === count) return each
  return Array.from({ length: count }, () => headers['traceparent'])
}

// The event that a delivery carries. For a test that was asked for with a kind, that is an example of the kind: it is
// made anew for each attempt and stored nowhere, so readers of events see the test, and never an event that did not
// happen.

type Carried = { readonly eventType: string; readonly eventBody: string }

/** `recorded`: the kind of the delivery and the stored body of its event. */
export function deliveredEvent(recorded: Carried): Carried {
  if (recorded.eventType !== webhookTest.type) return recorded
  const test = JSON.parse(recorded.eventBody) as EventRecord & { readonly data: { readonly exampleOf?: string } }
  const eventType = test.data.exampleOf
  const event = eventCatalogue.find(({ type }) => type === eventType)
  return event === undefined
    ? recorded
    : { eventType: event.type, eventBody: JSON.stringify(exampleFor(test, exampleEvent(event))) }
}

/** Who asked, when and where is that of the test, in the place of the example's. */
function exampleFor(test: EventRecord, made: unknown): EventRecord {
  const { id, workspaceId, sequence, occurredAt, actor, requestId } = test
  const record = made as EventRecord & { readonly data: object }
  const data = 'workspaceId' in record.data ? { ...record.data, workspaceId } : record.data
  return { ...record, id, workspaceId, sequence, occurredAt, actor, requestId, data, test: true }
}

// The headers of the request of an attempt. The dispatcher sends them, signed; of an attempt that was made only those
// are stored that its delivery does not say again, and the page that shows it has the rest from here.

type Headers = Readonly<Record<string, string>>

/** In the place of what only the receiver may know. */
const mask = '***'
const brandOf = (agent: string): string => agent.slice(0, -agentEnding.length)

/**
 * `own`: the names of the webhook's own headers, in lower case. Whose secrets they hold is not ours to show.
 * `traceparent`: null where it is that of the event.
 */
export const storedHeaders = (brand: string, own: readonly string[], traceparent: string | null = null): Headers => ({
  ...Object.fromEntries(own.map((name) => [name, mask])),
  [userAgent]: agentOf(brand),
  ...(traceparent !== null && { [traceHeader]: traceparent }),
})

/**
 * Those that were sent, from those that are stored. All of them are, of an older attempt; none, of one whose end no
 * process saw.
 */
export function shownHeaders(stored: Headers, requested: Requested): Headers {
  const agent = stored[userAgent]
  if (agent === undefined) return stored
  const brand = brandOf(agent)
  const signatures = { [ownHeaders(brand).signature]: mask, [standardHeaders.signature]: mask }
  const traceparent = stored[traceHeader] ?? requested.traceparent ?? null
  return { ...stored, ...unsignedHeaders(brand, { ...requested, traceparent }), ...signatures }
}
