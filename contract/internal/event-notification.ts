// The message from the service to the dispatcher through RabbitMQ: which events were committed.
import { Type, type Static } from 'typebox'
import { Id, closed } from '../shared-fields.ts'

/** Only the ids: the dispatcher reads the event itself from Postgres. */
export const EventNotification = closed({ eventId: Id, workspaceId: Id })
export type EventNotification = Static<typeof EventNotification>
export const notificationsPerMessageMax = 50
export const EventNotifications = Type.Array(EventNotification, { minItems: 1, maxItems: notificationsPerMessageMax })
