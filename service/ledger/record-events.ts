// The only place where events are made: their rows and outbox rows, in the transaction of the change itself. Rows of
// the outbox are events that no dispatcher has taken yet.
import type { Event, Changes } from '#contract/event.ts'
import type { Database } from '#prisma/client.ts'
import { withoutWaiting } from '#prisma/transaction.ts'
import { activeSpan } from '#runtime/tracing/span.ts'
import { newTraceparent, storedTrace } from '#runtime/tracing/trace-context.ts'
import type { About, Call, Db, EmittedEvent } from '../execution/call.ts'
import type { RecordedEvent } from '../execution/change.ts'
import { changesBetween } from '../execution/system-fields.ts'
import { insertEvents, oldestInOutbox } from './rows.ts'

type RecordingCall = Pick<Call, 'workspaceId' | 'now' | 'actor' | 'principal'>

/** In the order of the changes, in one statement for all. Returns a notification of each event, for the dispatcher. */
export async function recordEvents(
  tx: Db,
  events: readonly EmittedEvent[],
  call: RecordingCall,
): Promise<RecordedEvent[]> {
  const last = events.at(-1)
  if (last === undefined) return []
  const { workspaceId } = call
  const count = events.length
  // Of what the service does by itself, a trace begins here.
  const traceparent = call.principal.traceparent ?? newTraceparent()
  const rows = events.map((event) => rowOf(event, call))
  const each = <K extends keyof EventRow>(field: K): EventRow[K][] => rows.map((row) => row[field])
  // Bodies are stored as the exact bytes that are sent.
  const inserted = insertEvents(tx, {
    workspaceId,
    count,
    lastAt: last.at,
    today: last.at.toISOString().slice(0, 10),
    requestId: call.principal.requestId,
    keyId: keyOf(call),
    memberId: memberOf(call),
    trace: storedTrace(traceparent),
    each: {
      id: each('id'),
      type: each('type'),
      resourceId: each('resourceId'),
      kind: each('kind'),
      projectId: each('projectId'),
      relatedProjectId: each('relatedProjectId'),
      related: each('related'),
      changed: each('changed'),
      head: each('head'),
      tail: each('tail'),
      at: each('at'),
      origin: each('origin'),
      onlyWebhookId: each('onlyWebhookId'),
    },
  })
  withoutWaiting(
    tx,
    inserted.then((written) => {
      if (written !== count) throw new Error(`Workspace ${workspaceId} has no event sequence`)
    }),
  )
  const span = activeSpan()
  return events.map(({ id: eventId }) => ({ eventId, workspaceId, traceparent, span }))
}

/** Rotating a key changes its secret: its id stays. */
const keyOf = ({ actor }: RecordingCall): string | null => (actor.type === 'api_key' ? actor.id : null)
const memberOf = ({ actor }: RecordingCall): string | null => (actor.type === 'user' ? actor.id : null)

type EventRow = ReturnType<typeof rowOf>

function rowOf({ id, at, event, after, before, about, origin, onlyWebhookId }: EmittedEvent, call: RecordingCall) {
  const changes = before === undefined ? {} : changesBetween(before, after)
  const resource = resourceOf(event, after, about)
  const [head, tail] = bodyAround({ id, at, origin }, event, resource, after, changes, call)
  const { id: resourceId, kind } = resource
  // Names of fields need no quoting in an array's text.
  const changed = `{${Object.keys(changes).join(',')}}`
  const projectId = about === undefined ? projectOf(event, after) : about.projectId
  // A project is not told of itself.
  const relatedProjectId = about === undefined && event.type.startsWith('projects.') ? null : projectId
  // Members of an object, without its braces.
  const related = JSON.stringify(about?.related ?? {}).slice(1, -1)
  return {
    id,
    type: event.type,
    resourceId,
    kind,
    projectId,
    relatedProjectId,
    related,
    changed,
    head,
    tail,
    at,
    origin: origin ?? null,
    onlyWebhookId: onlyWebhookId ?? null,
  }
}

type Resource = {
  readonly type: string
  readonly id: string
  readonly kind: string | null
  readonly version: number | null
}

function resourceOf(event: Event, after: object, about: About | undefined): Resource {
  const type = event.type.slice(0, event.type.indexOf('.'))
  if (about !== undefined) return { type, id: about.id, kind: about.kind, version: null }
  const { id, kind = null, version = null } = after as Partial<Resource>
  return { type, id: String(id), kind, version }
}

/** The project that the event is about or belongs to; webhooks can be filtered by it. Null when there is none. */
function projectOf({ type }: Event, after: object): string | null {
  const { id, projectId = null } = after as { readonly id?: string; readonly projectId?: string | null }
  return type.startsWith('projects.') && id !== undefined ? id : projectId
}

function bodyAround(
  { id, at, origin }: Pick<EmittedEvent, 'id' | 'at' | 'origin'>,
  event: Event,
  resource: Resource,
  data: object,
  changes: Changes,
  call: RecordingCall,
): [string, string] {
  const head = { id, object: 'event', type: event.type, workspaceId: call.workspaceId }
  const tail = {
    occurredAt: at.toISOString(),
    actor: call.actor,
    requestId: call.principal.requestId,
    resource,
    data,
    changes,
    ...(origin && { origin }),
  }
  return [`${JSON.stringify(head).slice(0, -1)},"sequence":`, `,${JSON.stringify(tail).slice(1, -1)}`]
}

/** The events that no dispatcher has taken yet, and how old the oldest is. */
export type OutboxBacklog = { readonly rows: number; readonly oldestSeconds: number }

/** More are not counted, so that the question costs no more however many there are. */
const countedMax = 10_000

export async function outboxBacklog(db: Database): Promise<OutboxBacklog> {
  const [found] = await oldestInOutbox(db, countedMax)
  return found ?? { rows: 0, oldestSeconds: 0 }
}
