// What a change leaves behind is recorded in its own transaction. How is for those to say who keep it: events and the
// outbox, the audit log, the changes of keys that gateways ask for. They are handed in (service/recorders.ts).
import type { Event } from '#contract/event.ts'
import type { EventNotification } from '#contract/internal/deliveries.ts'
import type { Operation } from '#contract/operation.ts'
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import type { About, Call, Db } from './handler.ts'

/** An event that a handler has emitted: the object after the change and, for `changes`, before it. */
export type EmittedEvent = {
  readonly id: string
  readonly at: Date
  readonly event: Event
  readonly after: object
  readonly before: object | undefined
  readonly about: About | undefined
}
/** One object as it is now and, where it was there before, as it was. */
export type AuditedChange = { readonly after: object; readonly before: object | undefined }

export type Recorded = {
  readonly events: readonly EmittedEvent[]
  readonly audited: readonly AuditedChange[]
  readonly keyChanges: readonly KeyChange[]
}

/** What the audit log calls a change. */
export type Action = Pick<Operation, 'name'>

export type Recorders = {
  /** Returns a notification of each event, for the dispatcher. */
  readonly recordEvents: (tx: Db, events: readonly EmittedEvent[], call: Call) => Promise<EventNotification[]>
  readonly recordAudit: (tx: Db, action: Action, changes: readonly AuditedChange[], call: Call) => Promise<void>
  readonly recordKeyChanges: (tx: Db, changes: readonly KeyChange[]) => Promise<void>
}

/** What others are to be notified of once the change is committed. */
export type Notifications = {
  readonly notifications: readonly EventNotification[]
  readonly keyChanges: readonly KeyChange[]
}

/** `action` is null where the audit log has no entry for the change. */
export async function recordChange(
  { recordEvents, recordAudit, recordKeyChanges }: Recorders,
  tx: Db,
  action: Action | null,
  { events, audited, keyChanges }: Recorded,
  call: Call,
): Promise<Notifications> {
  const notifications = await recordEvents(tx, events, call)
  if (action !== null) await recordAudit(tx, action, audited.length > 0 ? audited : events, call)
  await recordKeyChanges(tx, keyChanges)
  return { notifications, keyChanges }
}
