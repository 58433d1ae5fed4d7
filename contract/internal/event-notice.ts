// The message from the service to the dispatcher through RabbitMQ: which events were committed.
import { Type, type Static } from 'typebox'
import { Id, closed } from '../fields.ts'

/** Only the ids: the dispatcher reads the event itself from Postgres. */
export const EventNotice = closed({ eventId: Id, workspaceId: Id })
export type EventNotice = Static<typeof EventNotice>
export const noticesPerMessageMax = 50
export const EventNotices = Type.Array(EventNotice, { minItems: 1, maxItems: noticesPerMessageMax })
