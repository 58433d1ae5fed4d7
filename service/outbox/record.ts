// The only place where events come into being: rows and outbox markers, in the transaction of the change itself.
import type { Changes, Event, EventNotice } from '#contract/event.ts'
import { changesBetween } from '../changes.ts'
import type { Call, Db } from '../handler.ts'

export type Emission = {
  readonly id: string
  readonly at: Date
  readonly event: Event
  readonly after: object
  readonly before: object | undefined
}

type Recorder = Pick<Call, 'workspaceId' | 'now' | 'actor' | 'principal'>

export async function record(tx: Db, emissions: readonly Emission[], call: Recorder): Promise<EventNotice[]> {
  const notices: EventNotice[] = []
  for (const emission of emissions) notices.push(await recordOne(tx, emission, call))
  return notices
}

// The body is written once, as the exact bytes to be sent. Only the sequence number is not known before the statement
// that draws it, so the statement puts the body together.
async function recordOne(
  tx: Db,
  { id: eventId, at, event, after, before }: Emission,
  call: Recorder,
): Promise<EventNotice> {
  const changes = before === undefined ? {} : changesBetween(before, after)
  const resource = resourceOf(event, after)
  const [head, tail] = bodyAround({ id: eventId, at }, event, resource, after, changes, call)
  const written = await tx.$executeRaw`
    WITH next AS (
      UPDATE event_sequence SET last = last + 1, last_at = ${at} WHERE workspace_id = ${call.workspaceId}::uuid RETURNING last
    ), written AS (
      INSERT INTO event (workspace_id, id, sequence, type, resource_id, resource_kind, project_id, changed_fields, body, occurred_at)
      SELECT ${call.workspaceId}::uuid, ${eventId}::uuid, last, ${event.type}, ${resource.id}::uuid,
             ${resource.kind}, ${projectOf(event, after)}::uuid, ${Object.keys(changes)}::text[], ${head} || last || ${tail}, ${at}
      FROM next
      RETURNING id, workspace_id, occurred_at
    )
    INSERT INTO outbox (event_id, workspace_id, created_at) SELECT id, workspace_id, occurred_at FROM written`
  if (written !== 1) throw new Error(`Workspace ${call.workspaceId} has no event sequence`)
  return { eventId, workspaceId: call.workspaceId }
}

type Resource = {
  readonly type: string
  readonly id: string
  readonly kind: string | null
  readonly version: number | null
}

function resourceOf(event: Event, after: object): Resource {
  const { id, kind = null, version = null } = after as Partial<Resource>
  return { type: event.type.slice(0, event.type.indexOf('.')), id: String(id), kind, version }
}

/** The project that the event is about, or about something of; what webhooks are filtered by. */
function projectOf({ type }: Event, after: object): string | null {
  const { id, projectId = null } = after as { readonly id?: string; readonly projectId?: string | null }
  return type.startsWith('projects.') && id !== undefined ? id : projectId
}

function bodyAround(
  { id, at }: Pick<Emission, 'id' | 'at'>,
  event: Event,
  resource: Resource,
  data: object,
  changes: Changes,
  call: Recorder,
): [string, string] {
  const head = { id, object: 'event', type: event.type, workspaceId: call.workspaceId }
  const tail = {
    occurredAt: at.toISOString(),
    actor: call.actor,
    requestId: call.principal.requestId,
    resource,
    data,
    changes,
  }
  return [`${JSON.stringify(head).slice(0, -1)},"sequence":`, `,${JSON.stringify(tail).slice(1)}`]
}
