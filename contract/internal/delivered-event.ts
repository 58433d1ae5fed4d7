// The event that a delivery carries. For a test that was asked for with a kind, that is an example of the kind: it is made
// anew for each attempt and stored nowhere, so whoever reads events sees the test, and never an event that did not happen.
import { eventCatalogue } from '../api.ts'
import type { EventRecord } from '../event-envelope.ts'
import { exampleEvent } from '../openapi/recorded-examples.ts'
import { webhookTest } from '../webhook-actions.ts'

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
